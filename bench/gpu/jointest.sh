#!/usr/bin/env bash
# Runs the tests of the CUDA engine, the conformance suite among them, on the card of this
# machine, and prints how many passed by groups, and whatever failed. From the root of the
# repository, once `make cudatest` has built the tests:
#
#	bench/gpu/jointest.sh >bench/gpu-jointest.log
#
# Arguments: the test binary, if another, the commit, if git does not tell, and flags.
set -uo pipefail
binary=${1:-bin/cuda/tests/cuda.test}
commit=${2:-$(git describe --always --dirty=+ --abbrev=10 --exclude='*')}
shift $(($# < 2 ? $# : 2))
echo "# bench/gpu/jointest.sh: $(basename "$binary") -test.v $*, commit $commit, $(date -u +%F)"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | sed 's/^/# card: /'
"$binary" -test.v "$@" 2>&1 | awk '
	# A test with subtests is not counted. Subtests of the suite are grouped by their kind.
	/^ *--- (PASS|FAIL|SKIP): / {
		name = $3; state[name] = substr($2, 1, 4); order[++tests] = name
		for (up = name; sub(/\/[^\/]*$/, "", up); ) parent[up] = 1
		if ($2 == "FAIL:") print
		next
	}
	/^ +[a-z_]+\.go:[0-9]+: .*(got .*want|differ|the greatest error)/ { print; next }
	/^(panic|FAIL|fatal|signal)/ { print; broken = broken || /^(panic|fatal)/ }
	END {
		for (i = 1; i <= tests; i++) {
			name = order[i]
			if (name in parent) continue
			group = name
			if (match(group, /\/conformance\//)) {
				kind = substr(group, RSTART + RLENGTH)
				kind = kind ~ /^case/ ? "cases" : kind ~ /^metric/ ? "metrics" : kind ~ /^all/ ? "exhaustive" : "others"
				group = substr(group, 1, RSTART - 1) " " kind
			} else
				sub(/\/.*/, "", group)
			if (!(group in seen)) { seen[group] = 1; groups[++kinds] = group }
			count[group, state[name]]++; total[state[name]]++
		}
		for (i = 1; i <= kinds; i++)
			printf "%-72s %5d passed %3d failed %3d skipped\n", groups[i], count[groups[i], "PASS"], count[groups[i], "FAIL"], count[groups[i], "SKIP"]
		printf "%d passed, %d failed, %d skipped\n", total["PASS"], total["FAIL"], total["SKIP"]
		exit(broken || total["FAIL"] > 0)
	}'
