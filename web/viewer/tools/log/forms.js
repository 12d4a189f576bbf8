// SPDX-License-Identifier: MIT
// The titles of the formats in which commands can be copied, in a module of their own because the writers (script/writers.js)
// are loaded later.

/** @type {[string, string][]} id and title */
export const FORM_TITLES = [['python', 'Python'], ['javascript', 'JavaScript'], ['weftctl', 'weftctl'], ['json', 'Raw JSON']];
