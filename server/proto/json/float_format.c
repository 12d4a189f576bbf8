// SPDX-License-Identifier: MIT
// The shortest decimal text of a float32, computed quickly.
//
// With n significant digits, value = digits · 10^power. For every float32 from 1e-13 to 1e15 and n ≤ 9, |power| is at
// most 22, where 10^|power| is exact in a double: one multiplication or division gives the candidate digits, and one
// more reads them back with the same rounding as strtod. n is raised until the value read back is the same float32.
// Values outside that range are formatted by printf and read back by strtod.
#include "proto/json/float_format.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 9 // always enough for a float32
#define EXACT_POWER 22

static const double powers_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// value · 10^power, |power| ≤ 22
static double scale(double value, int power) {
    assert(power >= -EXACT_POWER && power <= EXACT_POWER);
    return power >= 0 ? value * powers_of_ten[power] : value / powers_of_ten[-power];
}

// A decimal reads back if its double rounds to the float32. A double half-way between two float32 values may have been
// rounded already, unless it is `exact`ly the decimal; such a decimal is refused.
static bool reads_back(double read, bool exact, float value) {
    uint64_t bits = 0;
    memcpy(&bits, &read, sizeof bits);
    return (float)read == value && (exact || (bits & 0x1FFFFFFF) != 0x10000000);
}

// The fewest digits of `value` (1e-13 ≤ value < 1e15); value ≈ digits · 10^power.
static uint32_t shortest_digits(float value, int *power) {
    double wide = (double)value;
    int exponent = (int)floor(log10(wide)); // of the first digit; it may be off by one, which costs or saves a digit
    uint32_t digits = 0;
    for (int count = 1; count <= DIGITS_MAX; count++) {
        *power = exponent - count + 1;
        digits = (uint32_t)(scale(wide, -*power) + 0.5);
        // A whole number below 1e15 is exact.
        if (digits != 0 && reads_back(scale((double)digits, *power), *power >= 0, value)) {
            break;
        }
    }
    return digits;
}

// Writes digits · 10^power as 1200, 1.25, 0.0125 or 1.25e-7.
static size_t write_digits(uint32_t digits, int power, char *out) {
    assert(digits > 0);
    char reversed[12];
    int count = 0, zeros = 0;
    for (; digits != 0; digits /= 10) {
        reversed[count++] = "0123456789"[digits % 10];
    }
    while (zeros < count - 1 && reversed[zeros] == '0') {
        zeros++;
    }
    size_t length = 0;
    int exponent = count - 1 + power; // of the first digit
    if (exponent < -5 || exponent > 14) {
        out[length++] = reversed[count - 1];
        if (count - 1 > zeros) {
            out[length++] = '.';
        }
        for (int i = count - 2; i >= zeros; i--) {
            out[length++] = reversed[i];
        }
        return length + (size_t)sprintf(out + length, "e%d", exponent);
    }
    int first = exponent < 0 ? exponent : 0; // negative places before the first digit are zeros
    int last = power + zeros;                // the lowest place that is not zero
    for (int place = exponent - first; place >= 0 || place >= last; place--) {
        int index = place - power;
        if (place == -1) {
            out[length++] = '.';
        }
        out[length++] = (char)(index >= 0 && index < count ? reversed[index] : '0');
    }
    return length;
}

// Raises the precision until the text reads back.
static size_t write_slowly(double value, int least, int most, bool single, char *out) {
    char text[FLOAT_FORMAT_MAX]; // gcc 12 takes `out` for NULL here where it is sanitized and inlined
    int length = 0;
    for (int precision = least; precision <= most; precision++) {
        length = snprintf(text, sizeof text, "%.*g", precision, value);
        double read = strtod(text, NULL);
        if (single ? reads_back(read, false, (float)value) : read == value) {
            break;
        }
    }
    memcpy(out, text, (size_t)length + 1);
    return (size_t)length;
}

size_t float_format_single(float value, char out[FLOAT_FORMAT_MAX]) {
    float size = value < 0 ? -value : value;
    if (value == 0 || size < 1e-13f || size >= 1e15f) {
        return write_slowly((double)value, 1, DIGITS_MAX, true, out);
    }
    int power = 0;
    uint32_t digits = shortest_digits(size, &power);
    out[0] = '-';
    return value < 0 ? 1 + write_digits(digits, power, out + 1) : write_digits(digits, power, out);
}

size_t float_format_double(double value, char out[FLOAT_FORMAT_MAX]) {
    if (value == floor(value) && value > -1e15 && value < 1e15 && value != 0) {
        return (size_t)snprintf(out, FLOAT_FORMAT_MAX, "%.0f", value);
    }
    return write_slowly(value, 15, 17, false, out);
}
