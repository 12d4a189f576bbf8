// SPDX-License-Identifier: MIT
// Renders equations as MathML, from a short notation: symbols separated by spaces, and forms in parentheses.
//
//     *x vector, x scalar        (/ a b) fraction       (√ a) root
//     (_ x i) index              (^ x 2) power          (_^ x i 2) both
//     (| *x) length              ( … ) parentheses      (group …) one argument made of several     ; a wide space
const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** @type {Record<string, string>} */
const FORMS = { '/': 'mfrac', '√': 'msqrt', _: 'msub', '^': 'msup', '_^': 'msubsup', group: 'mrow', sum: 'munder' };
const FUNCTIONS = new Set(['cosh', 'det', 'max', 'min']);

/** @param {string} tag @param {...(Node | string)} children */
function node(tag, ...children) {
  const element = document.createElementNS(MATHML, tag);
  element.append(...children);
  return element;
}

/** @param {string} token */
function leaf(token) {
  if (token === ';') {
    const space = node('mspace');
    space.setAttribute('width', '1.6em');
    return space;
  }
  if (FUNCTIONS.has(token)) {
    const name = node('mo', token);
    name.setAttribute('lspace', '0.17em');
    name.setAttribute('rspace', '0.1em');
    return name;
  }
  if (/^[\d.]+$/.test(token)) return node('mn', token);
  if (token.startsWith('*') && token.length > 1) {
    const name = node('mi', token.slice(1));
    name.classList.add('vector');
    return name;
  }
  return node(/^\p{L}/u.test(token) ? 'mi' : 'mo', token);
}

/**
 * Parses forms until a closing parenthesis or the end. `at` is the position, in an array of one element.
 * @param {string[]} tokens @param {number[]} at
 * @returns {Element[]}
 */
function read(tokens, at) {
  const nodes = [];
  while (at[0] < tokens.length && tokens[at[0]] !== ')') {
    const token = tokens[at[0]++];
    if (token !== '(') {
      nodes.push(leaf(token));
      continue;
    }
    const form = tokens[at[0]];
    if (FORMS[form] || form === '|') at[0]++;
    const inner = read(tokens, at);
    at[0]++;
    if (FORMS[form]) nodes.push(node(FORMS[form], ...inner));
    else if (form === '|') nodes.push(node('mrow', node('mo', '|'), ...inner, node('mo', '|')));
    else nodes.push(node('mrow', node('mo', '('), ...inner, node('mo', ')')));
  }
  return nodes;
}

/**
 * @param {string} notation see above
 * @param {string} words the spoken form
 * @returns {Element} a math element
 */
export function equation(notation, words) {
  const tokens = notation.match(/[()]|[^\s()]+/g) ?? [];
  const math = node('math', node('mrow', ...read(tokens, [0])));
  math.setAttribute('display', 'block');
  math.setAttribute('alttext', words);
  math.setAttribute('role', 'math');
  math.setAttribute('aria-label', words);
  return math;
}
