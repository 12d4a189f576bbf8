// SPDX-License-Identifier: MIT
// What the forms are called that can be copied: known before what writes them is loaded (script/writers.js).

/** @type {[string, string][]} id and title */
export const FORM_TITLES = [['python', 'Python'], ['javascript', 'JavaScript'], ['weftctl', 'weftctl'], ['json', 'raw JSON']];
