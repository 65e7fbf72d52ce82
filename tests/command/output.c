/* Files that appear complete or not at all. */
#include "tests/command/memory_file.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"

static int enter_empty_folder(void **state)
{
    char *place = strdup("/tmp/slimband-output-XXXXXX");
    *state = place;
    return !mkdtemp(place) || chdir(place);
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", (char *)*state);
    free(*state);
    return chdir("/") || system(command);
}

static int files_here(void)
{
    DIR *folder = opendir(".");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(folder);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static void assert_holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t length = fread(got, 1, sizeof got - 1, stream);
    fclose(stream);
    assert_int_equal(length, strlen(text));
    assert_string_equal(got, text);
}

static void test_the_file_appears_with_commit(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    assert_true(sb_output_open(&output, "x", &failure));
    fputs("answer", output.stream);
    assert_int_equal(access("x", F_OK), -1);
    assert_true(sb_output_commit(&output, &failure));
    sb_output_discard(&output);
    assert_holds("x", "answer");
    assert_int_equal(files_here(), 1);
}

static void test_discard_leaves_the_old_file(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    put("x", "old");
    assert_true(sb_output_open(&output, "x", &failure));
    fputs("new", output.stream);
    sb_output_discard(&output);
    sb_output_discard(&output);
    assert_holds("x", "old");
    assert_int_equal(files_here(), 1);
}

static void test_a_replaced_file_keeps_its_mode_and_its_links(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    struct stat facts;
    put("x", "old");
    assert_int_equal(chmod("x", 0604), 0);
    assert_int_equal(symlink("x", "link"), 0);
    assert_true(sb_output_open(&output, "link", &failure));
    fputs("new", output.stream);
    assert_true(sb_output_commit(&output, &failure));
    assert_holds("x", "new");
    assert_int_equal(lstat("link", &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(stat("x", &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0604);
}

static void test_links_to_files_that_are_not_there_are_followed(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    char text[16];
    assert_int_equal(mkdir("sub", 0755), 0);
    assert_int_equal(symlink("sub/there", "there"), 0);
    assert_int_equal(symlink("../new", "sub/there"), 0);
    assert_true(sb_output_same("there", "new"));
    assert_false(sb_output_same("there", "sub/new"));
    assert_true(sb_output_open(&output, "there", &failure));
    fputs("answer", output.stream);
    sb_output_discard(&output);
    assert_int_equal(access("new", F_OK), -1);
    assert_true(sb_output_open(&output, "there", &failure));
    fputs("answer", output.stream);
    assert_true(sb_output_commit(&output, &failure));
    assert_holds("new", "answer");
    assert_int_equal(readlink("there", text, sizeof text), strlen("sub/there"));
    assert_int_equal(readlink("sub/there", text, sizeof text), strlen("../new"));
}

static void test_links_that_lead_nowhere_are_refused_and_stay(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    struct stat facts;
    static const char *const links[][2] = {{"circle", "circle"}, {"lost", "nowhere/x"}};
    for (size_t k = 0; k < sizeof links / sizeof *links; ++k) {
        assert_int_equal(symlink(links[k][1], links[k][0]), 0);
        assert_false(sb_output_open(&output, links[k][0], &failure));
        assert_non_null(strstr(failure.text, "cannot be created"));
        assert_int_equal(lstat(links[k][0], &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
    }
    assert_int_equal(files_here(), 2);
}

static void test_paths_of_one_file_are_known_before_it_is_there(void **state)
{
    (void)state;
    char place[256];
    put("x", "old");
    assert_int_equal(mkdir("sub", 0755), 0);
    assert_int_equal(symlink("x", "link"), 0);
    assert_int_equal(symlink("sub", "other"), 0);
    assert_non_null(getcwd(place, sizeof place - 8));
    strcat(place, "/new");
    static const char *const same[][2] = {{"x", "./x"},     {"x", "sub/../x"},        {"x", "link"},
                                          {"new", "./new"}, {"sub/new", "other/new"}, {"/new", "//new"}};
    static const char *const apart[][2] = {{"x", "new"}, {"new", "sub/new"}, {"nowhere/x", "x"}, {"x", "/x"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k)
        assert_true(sb_output_same(same[k][0], same[k][1]));
    for (size_t k = 0; k < sizeof apart / sizeof *apart; ++k)
        assert_false(sb_output_same(apart[k][0], apart[k][1]));
    assert_true(sb_output_same(place, "new"));
}

static void test_names_of_full_length_work(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'x', 255);
    name[255] = '\0';
    sb_output output;
    sb_failure failure;
    assert_true(sb_output_open(&output, name, &failure));
    assert_true(sb_output_commit(&output, &failure));
    assert_int_equal(access(name, F_OK), 0);
}

static void test_a_full_device_is_reported_and_still_there(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    struct stat facts;
    assert_true(sb_output_open(&output, "/dev/full", &failure));
    fputs("answer", output.stream);
    assert_false(sb_output_commit(&output, &failure));
    assert_string_equal(failure.text, "/dev/full: the disk is full");
    assert_int_equal(stat("/dev/full", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

static void test_places_that_cannot_be_written_are_refused_at_once(void **state)
{
    (void)state;
    sb_output output;
    sb_failure failure;
    static const char *const paths[] = {"", ".", "nowhere/x", "/dev/null/x"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        assert_false(sb_output_open(&output, paths[i], &failure));
        assert_non_null(strstr(failure.text, "cannot be created"));
        sb_output_discard(&output);
    }
    assert_int_equal(files_here(), 0);
}

static void test_a_fifth_open_file_is_refused(void **state)
{
    (void)state;
    sb_output outputs[5];
    sb_failure failure;
    char name[] = "0";
    for (int i = 0; i < 5; ++i, ++name[0])
        assert_int_equal(sb_output_open(&outputs[i], name, &failure), i < 4);
    for (int i = 0; i < 5; ++i)
        sb_output_discard(&outputs[i]);
    assert_int_equal(files_here(), 0);
}

static void test_signals_remove_the_temporary_files(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        pid_t child = fork();
        if (child == 0) {
            sb_output first, second;
            sb_failure failure;
            signal(signals[i], SIG_DFL);
            bool open = sb_output_open(&first, "x", &failure) && sb_output_open(&second, "y", &failure);
            if (open && files_here() == 2)
                raise(signals[i]);
            _exit(1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_int_equal(files_here(), 0);
    }
}

int main(void)
{
#define IN_EMPTY_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_empty_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_EMPTY_FOLDER(test_the_file_appears_with_commit),
        IN_EMPTY_FOLDER(test_discard_leaves_the_old_file),
        IN_EMPTY_FOLDER(test_a_replaced_file_keeps_its_mode_and_its_links),
        IN_EMPTY_FOLDER(test_links_to_files_that_are_not_there_are_followed),
        IN_EMPTY_FOLDER(test_links_that_lead_nowhere_are_refused_and_stay),
        IN_EMPTY_FOLDER(test_paths_of_one_file_are_known_before_it_is_there),
        IN_EMPTY_FOLDER(test_names_of_full_length_work),
        IN_EMPTY_FOLDER(test_a_full_device_is_reported_and_still_there),
        IN_EMPTY_FOLDER(test_places_that_cannot_be_written_are_refused_at_once),
        IN_EMPTY_FOLDER(test_a_fifth_open_file_is_refused),
        IN_EMPTY_FOLDER(test_signals_remove_the_temporary_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
