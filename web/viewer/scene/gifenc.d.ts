// SPDX-License-Identifier: MIT
// So that the page can be checked before web/vendor.mjs has copied the package and written its types.
declare module '*/gifenc/gifenc.js';
