#!/bin/sh
# Every kind of bad input: exactly one clear line on stderr, nothing on stdout, exit code 2, and no file that was not
# there before.  bad-input.sh SLIMBAND MAKE_NPY
set -u
slimband=$1
make_npy=$2
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
bad=0
count=0

npy() {
    python3 "$make_npy" "$@" || exit 1
}

complain() {
    bad=$((bad + 1))
    echo "FAILED: $*"
}

# refuse PATTERN ARGUMENT...: slimband must refuse, with PATTERN in its one line.
refuse() {
    pattern=$1
    shift
    count=$((count + 1))
    before=$(ls -A)
    "$slimband" "$@" >"$place.out" 2>"$place.err"
    code=$?
    [ $code -eq 2 ] || complain "exit code $code, not 2: $*"
    [ "$(wc -l <"$place.err")" -eq 1 ] || complain "not one line on stderr: $*: $(cat "$place.err")"
    grep -q -- "^slimband" "$place.err" || complain "does not say who complains: $*: $(cat "$place.err")"
    grep -q -e "$pattern" "$place.err" || complain "'$pattern' is not in: $(cat "$place.err")"
    grep -q 'slimband_' "$place.err" && complain "names a C function: $*: $(cat "$place.err")"
    [ -s "$place.out" ] && complain "wrote to stdout: $*"
    [ "$(ls -A)" = "$before" ] || complain "left a file behind: $*: $(ls -A)"
    rm -f "$place.out" "$place.err"
}

# refuse_solve PATTERN OPTION...: later options win over these.
refuse_solve() {
    pattern=$1
    shift
    refuse "$pattern" solve --matrix ab.npy --lower 1 --upper 1 --rhs b.npy --output x.npy "$@"
}

npy ab.npy '<f8' 3,4 0 1 1 1 4 4 4 4 1 1 1 0
npy b.npy '<f8' 4 1 2 3 4
"$slimband" solve --matrix ab.npy --lower 1 --upper 1 --rhs b.npy --output good.npy >/dev/null ||
    complain "the good run that all the others vary"

# Options.
refuse 'which command'
refuse "unknown command 'slove'" slove
refuse "unknown option '--mtarix'" solve --mtarix ab.npy
refuse "unknown option '-z'" solve --lower 1 -z
refuse "unknown option '-zero'" solve -p -zero --lower 1
refuse "unknown option '-z' in '-pz'" solve -pz --lower 1
refuse "unknown option '-z' in '-pjz'" solve --lower 1 -pjz
refuse 'option -l needs a value' solve --periodic -pl
refuse 'option --help takes no value' solve --help=more
refuse 'option --size needs a value' simulate heat2d --size
refuse 'option -s needs a value' simulate heat2d --size 9 -js
refuse 'option --executor needs a value' poisson --size 9 --executor
refuse 'option --json takes no value' poisson --size 9 --json=yes
refuse 'option --l is ambiguous' poisson --size 9 --l 1
refuse "unknown option '--largests'" bench grid --largests 3
refuse 'option --lower needs a value' solve --lower
refuse 'option -l needs a value' solve -l
refuse 'option --periodic takes no value' solve --periodic=1
refuse 'option --m is ambiguous' solve --m ab.npy
refuse "unexpected argument 'x.npy'" solve x.npy --periodic
refuse '--matrix is missing' solve
refuse '--rhs is missing' solve --matrix ab.npy
refuse '--output is missing' solve --matrix ab.npy --rhs b.npy
refuse '--lower is missing' solve --matrix ab.npy --upper 1 --rhs b.npy --output x.npy
refuse "unknown option '--nonsense'" info --nonsense
refuse "unknown option '--nonsense'" methods --nonsense
refuse_solve '--threads must be .* 1..4096.* not .0.' --threads 0
refuse_solve '--threads must be .*-2' --threads -2
refuse_solve '--refine must be .* 0..100' --refine 101
refuse_solve '--pivoting must be one of auto, none, partial' --pivoting maybe
refuse_solve '--axis must be' --axis 4
refuse_solve 'is of rank 1, so --axis must lie in -1..0' --axis 1

# L or U too large, negative or not a number.
refuse_solve '--lower must be .* 0..8, not .9.' --lower 9
refuse_solve '--upper must be .* 0..8, not .99999999999999999999.' --upper 99999999999999999999
refuse_solve '--lower must be .*-1' --lower -1
refuse_solve '--upper must be .*one' --upper one
refuse_solve 'ab.npy: has 3 diagonals, but --lower 2 and --upper 1 ask for 4' --lower 2

# Missing, empty, truncated and foreign files.
: >empty.npy
head -c 150 b.npy >truncated.npy
head -c 40 b.npy >header.npy
echo 'not an array' >text.npy
cat b.npy b.npy >twice.npy
mkdir folder
refuse_solve 'nowhere.npy: No such file' --matrix nowhere.npy
refuse_solve 'nowhere.npy: No such file' --rhs nowhere.npy
refuse_solve 'folder: Is a directory' --rhs folder
refuse_solve 'empty.npy: the file is empty' --matrix empty.npy
refuse_solve 'empty.npy: the file is empty' --rhs empty.npy
refuse_solve 'truncated.npy: the file is truncated' --rhs truncated.npy
refuse_solve 'header.npy: the file ends within its header' --rhs header.npy
refuse_solve 'text.npy: not a .npy file' --rhs text.npy
refuse_solve 'text.npy: neither a .npy nor a Matrix Market file' --matrix text.npy
refuse_solve 'twice.npy: the file is longer' --rhs twice.npy
if [ "$(id -u)" -ne 0 ]; then
    cp b.npy locked.npy
    chmod 000 locked.npy
    refuse_solve 'locked.npy: Permission denied' --rhs locked.npy
fi

# Types.
npy integers.npy '<i8' 4 1
npy booleans.npy '|b1' 4 1
npy objects.npy '|O' 4 1
npy big.npy '>f8' 4 1
npy records.npy --header "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4,), }" 32
refuse_solve 'integers.npy: holds integers .*accepted are float32, float64' --rhs integers.npy
refuse_solve 'integers.npy: holds integers' --matrix integers.npy
refuse_solve 'booleans.npy: holds booleans' --rhs booleans.npy
refuse_solve 'objects.npy: holds Python objects' --rhs objects.npy
refuse_solve 'big.npy: holds .*byte order' --rhs big.npy
refuse_solve 'records.npy: holds records' --rhs records.npy

# Ranks and sizes.
npy scalar.npy '<f8' '' 1
npy five.npy '<f8' 1,1,1,1,4 1
npy three.npy '<f8' 3 1
npy long.npy '<f8' 5 1
npy none.npy '<f8' 0 1
npy lines.npy '<f8' 3,4 1
npy hollow.npy '<f8' 3,0 1
npy two.npy '<f8' 2,3,4 0 1 1 1 4 4 4 4 1 1 1 0
refuse_solve 'scalar.npy: wrong rank' --rhs scalar.npy
refuse_solve 'five.npy: wrong rank' --rhs five.npy
refuse_solve 'three.npy: wrong rank 1' --matrix three.npy
refuse_solve 'long.npy: has 5 entries along axis 0, but the matrix of ab.npy is 4 x 4' --rhs long.npy
refuse_solve 'lines.npy: has 3 entries along axis 0' --rhs lines.npy --axis 0
refuse_solve 'none.npy: the array is empty' --rhs none.npy
refuse_solve 'hollow.npy: the array is empty' --matrix hollow.npy
refuse_solve 'two.npy: holds 2 matrices, but lines.npy has 3 lines' --matrix two.npy --rhs lines.npy

# Sizes that would overflow, or that the file cannot hold.
shape() {
    npy "$1" --header "{'descr': '<f8', 'fortran_order': False, 'shape': $2, }" 32
}
shape negative.npy '(-4,)'
shape absurd.npy '(4611686018427387904, 4)'
shape digits.npy '(99999999999999999999,)'
shape terabytes.npy '(1099511627776,)'
refuse_solve 'negative.npy: .*negative' --rhs negative.npy
refuse_solve 'absurd.npy: .*overflows' --rhs absurd.npy
refuse_solve 'digits.npy: .*overflows' --rhs digits.npy
refuse_solve 'terabytes.npy: the file is truncated' --rhs terabytes.npy
refuse_solve 'terabytes.npy: the file is truncated' --matrix terabytes.npy

# NaN and Inf: found with --check, and never written as an answer without it, nor is anything else the reason.
npy nan.npy '<f8' 3,4 1 2 3 4 5 6 nan 8 9 10 11 12
npy inf.npy '<f8' 3,4 0 1 1 1 4 4 inf 4 1 1 1 0
refuse_solve 'nan.npy: system 1, row 2 .*NaN' --rhs nan.npy --check
refuse_solve 'inf.npy: system 0, row 2 .*NaN or Inf' --matrix inf.npy --check
refuse_solve 'nan.npy: system 1, row 2 .*NaN or Inf' --rhs nan.npy
refuse_solve 'inf.npy: system 0, row 2 .*NaN or Inf' --matrix inf.npy
refuse_solve 'inf.npy: system 0, row 2 .*NaN or Inf' --matrix inf.npy --pivoting none
npy nan-ab.npy '<f8' 3,4 0 1 nan 1 4 4 4 4 1 1 1 0
npy nan-zeros.npy '<f8' 3,4 0 0 0 0 nan 0 0 0 0 0 0 0
npy tiny-ab.npy '<f8' 3,4 0 0 0 0 1e-300 1e-300 1e-300 1e-300 0 0 0 0
npy huge-b.npy '<f8' 4 1e300
refuse_solve 'nan-ab.npy: system 0, row 1 .*NaN or Inf' --matrix nan-ab.npy
refuse_solve 'nan-ab.npy: system 0, row 1 .*NaN or Inf' --matrix nan-ab.npy --pivoting none
refuse_solve 'nan-zeros.npy: system 0, row 0 .*NaN or Inf' --matrix nan-zeros.npy
refuse_solve 'tiny-ab.npy: system 0, .*the answer overflows' --matrix tiny-ab.npy --rhs huge-b.npy

# Methods.
npy wide.npy '<f8' 5,4 0 0 1 1 0 1 1 1 9 9 9 9 1 1 1 0 1 1 0 0
refuse_solve '--method magic: no method of this name' --method magic
refuse_solve '--method thomas: this method solves tridiagonal systems only' \
    --matrix wide.npy --lower 2 --upper 2 --method thomas
refuse_solve '--method thomas: this method does not pivot' --method thomas --pivoting partial
refuse_solve '--method pivoted_lu: this method always pivots' --method pivoted_lu --pivoting none
npy uneven.npy '<f8' 3,4 0 1 1 1 4 4 5 4 1 1 1 0
refuse_solve '--method cr_toeplitz: this method needs Toeplitz' --matrix uneven.npy --method cr_toeplitz
refuse_solve '--method tpr:slice=zero: .*option' --method tpr:slice=zero

# Singular matrices: which system, which row.
npy singular.npy '<f8' 3,3,4 0 1 1 1 4 4 4 4 1 1 1 0 0 1 1 0 4 4 4 0 1 1 0 0 0 1 1 1 4 4 4 4 1 1 1 0
npy zeros.npy '<f8' 3,4 0
npy ones.npy '<f8' 3,4 1
refuse_solve 'singular.npy: system 1, row 3 .*singular' --matrix singular.npy --rhs lines.npy
refuse_solve 'zeros.npy: system 0, row 0 .*singular' --matrix zeros.npy
refuse_solve 'zeros.npy: system 0, row 0 .*broke down' --matrix zeros.npy --pivoting none
npy swap.npy '<f8' 3,4 0 1 0 1 0 0 0 0 1 0 1 0
refuse_solve 'swap.npy: system 0, row 0 .*broke down' --matrix swap.npy --pivoting none

# Matrix Market.
market() {
    printf '%b' "$2" >"$1"
}
market wide.mtx '%%MatrixMarket matrix coordinate real general\n10 10 11\n1 10 1\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n7 7 1\n8 8 1\n9 9 1\n10 10 1\n'
market pattern.mtx '%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n'
market oblong.mtx '%%MatrixMarket matrix coordinate real general\n3 4 1\n1 1 1\n'
market short.mtx '%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2'
market absurd.mtx '%%MatrixMarket matrix coordinate real general\n9000000000000 9000000000000 1\n1 1 1\n'
market outside.mtx '%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n'
market identity.mtx '%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n'
refuse_market() {
    refuse "$1" solve --matrix "$2" --rhs b.npy --output x.npy
}
refuse_market 'wide.mtx: the band is too wide: lower 0 and upper 9' wide.mtx
refuse_market 'pattern.mtx: the entries must be real, integer or complex' pattern.mtx
refuse_market 'oblong.mtx: the matrix must be square, it is 3 x 4' oblong.mtx
refuse_market 'short.mtx: truncated' short.mtx
refuse_market 'absurd.mtx: .*singular' absurd.mtx
refuse_market 'outside.mtx: entry 2 lies outside' outside.mtx
refuse_market 'b.npy: has 4 entries .*identity.mtx is 2 x 2' identity.mtx
refuse 'give both --lower and --upper' solve --matrix identity.mtx --lower 1 --rhs b.npy --output x.npy

# Places that cannot be written.
refuse_solve 'missing/x.npy: cannot be created: No such file' --output missing/x.npy
refuse_solve 'folder: cannot be created: Is a directory' --output folder
refuse_solve 'b.npy/x.npy: cannot be created: Not a directory' --output b.npy/x.npy
refuse_solve '/dev/full: the disk is full' --output /dev/full

# A full disk: a file system of 64 KiB, in a name space of its own where the machine lets us have one.
npy large-ab.npy '<f8' 1,20000 2
npy large-b.npy '<f8' 20000 1
mkdir small
full='mount -t tmpfs -o size=64k tmpfs small && "$1" solve --matrix large-ab.npy --lower 0 --upper 0 \
    --rhs large-b.npy --output small/x.npy; code=$?; ls -A small; exit $code'
if unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs small' 2>/dev/null; then
    count=$((count + 1))
    said=$(unshare -rm sh -c "$full" full "$slimband" 2>&1)
    code=$?
    [ $code -eq 2 ] || complain "full disk: exit code $code"
    [ "$said" = "slimband solve: small/x.npy: the disk is full" ] || complain "full disk: $said"
else
    echo "skipped: a full tmpfs (this machine allows no mounts); /dev/full stands for it"
fi

echo "$count refusals, $bad complaints"
[ $bad -eq 0 ]
