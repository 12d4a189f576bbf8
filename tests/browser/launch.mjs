// SPDX-License-Identifier: MIT
// Starts headless Chromium with software rendering.

import { chromium } from 'playwright-core';

/** The program of the browser. */
export const BROWSER = process.env.WEFT_CHROMIUM ?? '/usr/bin/chromium';

// Features of the browser that are not tested: those that Playwright disables, whose list this one replaces; two pages of the
// address bar that are invisible, but are loaded with every context and take a second of CPU time each; and the process that is
// started with every page for another page.
const FEATURES_OFF = [
  'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch',
  'TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning', 'AimEnabled', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup',
  'SpareRendererForSitePerProcess',
];

/** @param {string[]} [args] more of the browser's switches @returns {Promise<import('playwright-core').Browser>} further command-line switches of the browser */
export const launchBrowser = (args = []) => chromium.launch({
  executablePath: BROWSER,
  args: [
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-dev-shm-usage', `--disable-features=${FEATURES_OFF}`,
    '--disable-gpu-watchdog', // the watchdog mistakes a busy processor for a hanging one
    '--enable-angle-features=preferGlobalPipelineCache', // a shader that an earlier page has used is not optimised again
    '--disable-gpu-compositing', // as without a graphics processor: the page itself is not composed by the software GL
    // Some tests use two windows: the hidden one must not be slowed down.
    '--disable-renderer-backgrounding', '--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows', ...args,
  ],
});
