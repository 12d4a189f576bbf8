// SPDX-License-Identifier: MIT
// Prints the hashes of the scenarios after the number of ticks given (1,000), all on one line.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenario.h"

int main(int argc, char **argv) {
    const unsigned ticks = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    printf("%016" PRIx64 " %016" PRIx64 "\n", scenario_hash(ticks), method_hash(ticks));
    return 0;
}
