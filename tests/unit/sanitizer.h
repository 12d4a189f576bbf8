// SPDX-License-Identifier: MIT
// Whether this is built with a sanitizer: IS_SANITIZED, and of the addresses IS_ADDRESS_SANITIZED. clang says it as a
// feature, gcc by macros.
#ifndef WEFT_TESTS_SANITIZER_H
#define WEFT_TESTS_SANITIZER_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED
#endif
#if __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(IS_ADDRESS_SANITIZED)
#define IS_ADDRESS_SANITIZED
#endif
#if defined(IS_ADDRESS_SANITIZED) || defined(IS_THREAD_SANITIZED) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#endif

#endif
