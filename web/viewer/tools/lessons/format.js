// SPDX-License-Identifier: MIT
// Reads the file of a lesson (web/lessons/LESSONS.md). Every fault is told with the file, the step, the member and what is allowed.
import { METHODS } from '../../../client/protocol.js';
import { faultOf } from './schema.js';
/** @import { Fault, Path, Schema } from './schema.js' */

/** @typedef {{formula: string, spoken: string, where?: Record<string, string>}} Formula */
/** @typedef {(string | Formula)[]} Text */
/** @typedef {{method: import('../../../client/protocol.js').MethodName, params?: object}} Command */
/**
 * @typedef {object} Check one of read, did, drag, panel, overlay, all, any says its kind
 * @property {string} [read] @property {string} [did] @property {Record<string, unknown>} [params] @property {string} [object] @property {string} [member]
 * @property {number} [least] @property {number} [most] @property {unknown} [equals] @property {number} [rises] @property {number} [falls]
 * @property {number} [times] @property {number} [drag] @property {boolean} [released] @property {string} [panel] @property {string} [overlay]
 * @property {Check[]} [all] @property {Check[]} [any]
 */
/**
 * @typedef {object} Step
 * @property {string} title @property {Text} text @property {string} [scene] @property {Command[]} [commands] @property {boolean} [paused]
 * @property {{eye: number[], target: number[]}} [view] @property {string[]} [xray] @property {string[]} [panels]
 * @property {string} [task] @property {string} [hint] @property {Check} [check] @property {string} [success]
 * @property {{ask: string, choices: string[], answer: number}} [question]
 */
/** @typedef {{title: string, description?: string, next?: string, end?: Text, steps: Step[]}} Lesson */

const BYTES_MOST = 1e6;
const METHOD_OF = /** @type {Record<string, {kind: string, role: string, batch: boolean}>} */ (METHODS);

/** Where a fault is, in words: `step 2, check.least`. @param {Path} path */
function placeOf(path) {
  const words = (/** @type {Path} */ parts) => parts.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${part}`)).join('');
  if (path[0] !== 'steps' || typeof path[1] !== 'number') return words(path);
  return path.length === 2 ? `step ${path[1] + 1}` : `step ${path[1] + 1}, ${words(path.slice(2))}`;
}

/** @param {Check} check @param {Path} path @returns {Fault | null} */
function faultOfCheck(check, path) {
  for (const [name, list] of Object.entries({ all: check.all, any: check.any })) {
    for (const [index, each] of (list ?? []).entries()) {
      const fault = faultOfCheck(each, [...path, name, index]);
      if (fault) return fault;
    }
  }
  if (check.did !== undefined && !METHOD_OF[check.did]) return { path: [...path, 'did'], message: `must be a method of the protocol, not "${check.did}"` };
  if (check.read === undefined) return null;
  if (METHOD_OF[check.read]?.kind !== 'read' || METHOD_OF[check.read].role !== 'viewer') {
    const names = Object.keys(METHOD_OF).filter((name) => METHOD_OF[name].kind === 'read' && METHOD_OF[name].role === 'viewer');
    return { path: [...path, 'read'], message: `must be one of the methods ${names.join(', ')}, not "${check.read}"` };
  }
  const { least, most, equals, rises, falls } = check;
  if ([least, most, equals, rises, falls].every((value) => value === undefined)) return { path, message: 'must say what the value is compared with: least, most, equals, rises or falls' };
  if (least !== undefined && most !== undefined && least > most) return { path: [...path, 'least'], message: `must not be greater than most, ${most}` };
  return null;
}

/** @param {Text} text @param {Path} path @returns {Fault | null} */
function faultOfText(text, path) {
  for (const [index, part] of text.entries()) {
    if (typeof part === 'string') continue;
    let open = 0;
    for (const letter of part.formula) {
      open += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      if (open < 0) break;
    }
    if (open !== 0) return { path: [...path, index, 'formula'], message: 'must have a closing parenthesis for each opening one' };
  }
  return null;
}

/** The faults of a step that a schema cannot find. @param {Step} step @param {Path} path @returns {Fault | null} */
function faultOfStep({ text, commands = [], task, hint, check, question }, path) {
  for (const [index, { method }] of commands.entries()) {
    if (!METHOD_OF[method]?.batch) {
      const names = Object.keys(METHOD_OF).filter((name) => METHOD_OF[name].batch);
      return { path: [...path, 'commands', index, 'method'], message: `must be one of the methods ${names.join(', ')}, not "${method}"` };
    }
  }
  if (question && (task || check)) return { path: [...path, 'question'], message: 'must not stand beside task or check: a step has one or the other' };
  if (task && !check) return { path: [...path, 'check'], message: 'is missing: a task needs a check that recognizes when it is done' };
  if (check && !task) return { path: [...path, 'task'], message: 'is missing: a check needs a task that says what to do' };
  if (hint && !task) return { path: [...path, 'hint'], message: 'must stand beside a task' };
  if (question && question.answer > question.choices.length) return { path: [...path, 'question', 'answer'], message: `must be a number from 1 to ${question.choices.length}, the number of choices` };
  return faultOfText(text, [...path, 'text']) ?? (check ? faultOfCheck(check, [...path, 'check']) : null);
}

/**
 * @param {string} text of the file @param {string} file its name, for messages @param {Schema} schema that of lesson.schema.json
 * @returns {Lesson} throws an Error whose message names the file, the step and the member
 */
export function readLesson(text, file, schema) {
  if (text.length > BYTES_MOST) throw new Error(`${file} is ${Math.ceil(text.length / 1000)} kB long. A lesson may have up to ${BYTES_MOST / 1000} kB.`);
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
  let fault = faultOf(schema, value, schema);
  const lesson = /** @type {Lesson} */ (value);
  if (!fault && lesson.end) fault = faultOfText(lesson.end, ['end']);
  for (let at = 0; !fault && at < lesson.steps.length; at++) fault = faultOfStep(lesson.steps[at], ['steps', at]);
  if (fault) throw new Error(`${file}: ${fault.path.length > 0 ? placeOf(fault.path) : 'the lesson'} ${fault.message}.`);
  return lesson;
}
