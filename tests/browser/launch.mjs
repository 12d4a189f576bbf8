// SPDX-License-Identifier: MIT
// Starts headless Chromium that draws in software.

import { chromium } from 'playwright-core';

// Of the browser itself, none of which is tested: what Playwright switches off, whose list this one takes the place of, and two
// pages of the address bar that nobody sees, which are loaded anew with every context and take a second of processor each time.
const FEATURES_OFF = [
  'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch',
  'TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning', 'AimEnabled', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup',
];

/** @param {string[]} [args] more of the browser's switches @returns {Promise<import('playwright-core').Browser>} */
export const launchBrowser = (args = []) => chromium.launch({
  executablePath: process.env.WEFT_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-dev-shm-usage', `--disable-features=${FEATURES_OFF}`,
    '--disable-gpu-watchdog', // which takes a processor that others use for one that hangs
    '--disable-gpu-compositing', // as where there is no graphics processor: the page itself is not drawn by the GL in software
    // Two windows stand side by side in some tests: neither is to be slowed down for being behind the other.
    '--disable-renderer-backgrounding', '--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows', ...args,
  ],
});
