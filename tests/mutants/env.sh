# source /work/briefs/env.sh TREE : python and tools of main's environment, modules of TREE
T=$(realpath ${1:-.}); export PATH=/work/main/.venv/bin:$PATH PYTHONPATH=$T:$T/exercises/autograder OMP_NUM_THREADS=1
cd $T
