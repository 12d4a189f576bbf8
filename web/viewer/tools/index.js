// SPDX-License-Identifier: MIT
// The tools of the page, in the order of installation. Each is a module of this folder that exports install(page).
import * as appearance from './appearance.js';
import * as avatars from './avatars/index.js';
import * as build from './build/index.js';
import * as compare from './compare/index.js';
import * as copies from './copies/index.js';
import * as cut from './cut/index.js';
import * as embed from './embed.js';
import * as exporting from './export/index.js';
import * as explain from './explain/index.js';
import * as gallery from './gallery/index.js';
import * as help from './help/index.js';
import * as lessons from './lessons/index.js';
import * as moment from './moment.js';
import * as people from './people/index.js';
import * as place from './place.js';
import * as probe from './probe/index.js';
import * as present from './present/index.js';
import * as selection from './selection/index.js';
import * as share from './share/index.js';
import * as states from './states/index.js';
import * as time from './time/index.js';
import * as undo from './undo/index.js';
import * as wall from './wall/index.js';
import * as worlds from './worlds/index.js';
import * as xray from './xray/index.js';
import * as plots from './plots/index.js';
import * as commands from './console/index.js';
import * as log from './log/index.js';

const TOOLS = [build, compare, embed, exporting, gallery, people, avatars, copies, selection, cut, undo, place, share, moment, worlds, explain, lessons, present, wall, states, time, help, appearance, commands, log, xray, plots, probe];

/** @param {import('../page/page.js').Page} page */
export function installTools(page) {
  for (const tool of TOOLS) tool.install(page);
}
