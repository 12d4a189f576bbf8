// SPDX-License-Identifier: MIT
// The style of the element's shadow root. A style sheet made by script is allowed by strict content security policies, and is
// shared by all elements of the page.

const CSS = `
:host { display: block; position: relative; overflow: hidden; aspect-ratio: 16 / 9; min-height: 60px; contain: layout paint; }
:host([hidden]) { display: none; }
.root {
  position: absolute; inset: 0; background: var(--weft-background, #11161e); color: #e8edf4; font: 14px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  --weft-bar: rgb(16 21 29 / 78%); --weft-line: rgb(255 255 255 / 16%); --weft-accent: #e0a63a;
}
.root[data-theme="light"] { background: var(--weft-background, #e6ebf2); color: #1c2430; --weft-bar: rgb(255 255 255 / 86%); --weft-line: rgb(20 30 50 / 20%); --weft-accent: #925a06; }
:host(:fullscreen) { aspect-ratio: auto; width: 100%; height: 100%; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.stage { position: absolute; inset: 0; outline: none; user-select: none; -webkit-user-select: none; }
.stage canvas { display: block; touch-action: pan-y !important; }
:host(:fullscreen) .stage canvas { touch-action: none !important; }
.stage:focus-visible { box-shadow: inset 0 0 0 2px var(--weft-accent); z-index: 1; }
.message {
  position: absolute; z-index: 2; inset-inline: 0; margin: auto; width: fit-content; max-width: calc(100% - 24px); inset-block: 12px auto;
  padding: 6px 12px; border-radius: 8px; background: var(--weft-bar); border: 1px solid var(--weft-line); pointer-events: none; overflow-wrap: anywhere;
}
.message[data-kind="failure"] { inset-block: 0; height: fit-content; border-color: #ef6f5b; }
.message[data-kind="wait"] { inset-block: 0; height: fit-content; animation: late .3s 1s both; }
@keyframes late { from { opacity: 0; } }
.bar {
  position: absolute; z-index: 2; inset: auto 8px 8px; display: flex; align-items: center; gap: 2px; padding: 3px; border-radius: 10px;
  background: var(--weft-bar); border: 1px solid var(--weft-line);
}
.bar :is(button, a) {
  display: inline-grid; place-items: center; min-width: 34px; height: 34px; padding: 0 7px; border: 0; border-radius: 7px; background: none; color: inherit;
  font: inherit; text-decoration: none; cursor: pointer;
}
.bar :is(button, a):is(:hover, :focus-visible) { background: var(--weft-line); outline: none; }
.bar :is(button, a):focus-visible { box-shadow: inset 0 0 0 2px var(--weft-accent); }
.bar button:disabled { opacity: .4; cursor: default; background: none; }
.bar svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.bar input { flex: 1; min-width: 40px; margin: 0 6px; accent-color: var(--weft-accent); }
.bar output { min-width: 4ch; text-align: end; font-variant-numeric: tabular-nums; }
.bar .space { flex: 1; }
.bar input:not([hidden]) ~ .space { display: none; }
@media (prefers-reduced-motion: reduce) { .message { animation: none !important; } }
`;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** @param {ShadowRoot} root */
export function applyStyle(root) {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  root.adoptedStyleSheets = [sheet];
}
