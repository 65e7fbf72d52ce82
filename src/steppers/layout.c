/* How members are cut into units and tiles. */
#include "slimband/method.h"
#include "src/steppers/cpu.h"

enum { WIDE_BYTES = 256, USUAL_CACHE = 1 << 20 };

/* Points of a field that are worth a thread of the team and its waiting for the others. */
enum { TEAM_POINTS = 1 << 14 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t over(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* Lines of a tile that are `numbers` numbers together, with something to do for each of the threads that share `lines`. */
static int64_t width_of(const sb_stepper_cpu *cpu, int64_t numbers, int64_t n, int64_t lines, int64_t threads)
{
    if (lines <= SB_GRANULE)
        return lines;
    int64_t unit = WIDE_BYTES / (int64_t)cpu->size;
    int64_t width = smaller(numbers / n, over(lines, threads));
    width = width >= unit ? width / unit * unit : larger(over(width, SB_GRANULE) * SB_GRANULE, SB_GRANULE);
    int64_t even = over(over(lines, over(lines, width)), SB_GRANULE) * SB_GRANULE;
    return smaller(width, even);
}

/* A strip, its increments and the solver's own copy stay in a core's cache for as many steps as a call takes, and so do
   the members' own factors and borders. */
static void lay_out_rings(const slimband_evolution *e, sb_stepper_cpu *cpu)
{
    int64_t n = e->points[0], numbers = cpu->cache_bytes / (cpu->own ? 12 : 4) / (int64_t)cpu->size;
    int64_t width = larger(width_of(cpu, numbers, n, e->members, cpu->threads), 1);
    cpu->units = over(e->members, width);
    cpu->threads = (int)larger(smaller(cpu->threads, cpu->units), 1);
    cpu->unit_elements = n * width;
    cpu->pass[0] = (sb_pass){
        .n = n, .stride = width, .outer = 1, .lines = width, .line_stride = 1, .width = width, .across = 1};
}

/* A tile is on its way once a step: wide rows, which use whole pages, matter more than the second-level cache, and the last
   level holds what does not fit there. */
static void lay_out_field(const slimband_evolution *e, sb_stepper_cpu *cpu)
{
    cpu->units = e->members;
    cpu->unit_elements = sb_points_of_member(e);
    int64_t useful = larger(cpu->units, cpu->unit_elements / TEAM_POINTS);
    cpu->threads = (int)larger(smaller(cpu->threads, useful), 1);
    cpu->teams = cpu->units < cpu->threads;
    int64_t inside = 1;
    for (int axis = e->rank - 1; axis >= 0; --axis) {
        int64_t n = e->points[axis], outside = cpu->unit_elements / inside / n;
        bool last = axis == e->rank - 1;
        sb_pass *p = &cpu->pass[axis];
        *p = (sb_pass){.n = n,
                       .stride = inside,
                       .outer = last ? 1 : outside,
                       .outer_stride = n * inside,
                       .lines = last ? outside : inside,
                       .line_stride = last ? n : 1};
        int64_t numbers = larger(cpu->cache_bytes, n * WIDE_BYTES) / (int64_t)cpu->size;
        p->width = width_of(cpu, numbers, n, p->lines, cpu->teams ? over(cpu->threads, p->outer) : 1);
        p->across = over(p->lines, p->width);
        inside *= n;
    }
}

void sb_stepper_lay_out(const slimband_evolution *e, sb_stepper_cpu *cpu)
{
    slimband_machine machine;
    slimband_machine_facts(&machine);
    cpu->cache_bytes = machine.cache_bytes[1] ? machine.cache_bytes[1] : USUAL_CACHE;
    cpu->last_cache_bytes = machine.cache_bytes[2];
    cpu->threads = cpu->threads ? cpu->threads : machine.threads;
    cpu->rings = e->equation != SLIMBAND_HEAT;
    cpu->own = !sb_members_share(e);
    if (cpu->rings)
        lay_out_rings(e, cpu);
    else
        lay_out_field(e, cpu);
    cpu->bordered = cpu->rings && cpu->own && cpu->pass[0].n >= 8 && cpu->pass[0].width >= SB_GRANULE;
    cpu->matrices = cpu->own ? cpu->units : 1;
    cpu->copies = cpu->own && !cpu->teams ? 1 : cpu->threads;
}
