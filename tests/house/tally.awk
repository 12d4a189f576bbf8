# SPDX-License-Identifier: MIT
# Adds up what the runners say of themselves in their own output, and prints "passed failed":
# cmocka ("[  PASSED  ] 5 test(s)."), node --test ("# pass 5", "ℹ pass 5"), pytest
# ("=== 1 failed, 5 passed in 2.10s ==="; errors are failures), and plain "5 passed, 0 failed".
# A cancelled test of node's is a failed one.
/^\[  (PASSED|FAILED)  \] ([^:]*: )?[0-9]+ test\(s\)/ {
    count = $0
    sub(/ test\(s\).*/, "", count)
    sub(/.*[^0-9]/, "", count)
    if ($0 ~ /PASSED/) passed += count; else failed += count
}
/^(#|ℹ) pass [0-9]+$/ { passed += $3 }
/^(#|ℹ) (fail|cancelled) [0-9]+$/ { failed += $3 }
/^=+ .* in [0-9.]+s .*=+$/ {
    for (i = 2; i < NF; i++) {
        if ($i ~ /^passed,?$/) passed += $(i - 1)
        if ($i ~ /^(failed|errors?),?$/) failed += $(i - 1)
    }
}
/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
END { print passed + 0, failed + 0 }
