# Sourced by the scripts that compile much.
#
# Most of what checks cost on a first run is compiling, and a third of that is the compiler's garbage collection. It
# may have the memory instead, within a bound.
export GOGC=${GOGC:-400} GOMEMLIMIT=${GOMEMLIMIT:-3GiB}
