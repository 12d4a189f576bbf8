// SPDX-License-Identifier: MIT
// The rules that `make check` applies to all JavaScript of the tree: ESLint's recommended rules, and a few more.
import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['**/node_modules/', 'web/vendor/'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: globals.node },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-unused-private-class-members': 'off', // the rule does not count `this.#timer ||= …` as a use
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
    },
  },
  {
    files: ['tests/**'],
    rules: {
      'no-restricted-syntax': ['error', {
        selector: 'CallExpression[callee.property.name="waitForFunction"] > ArrowFunctionExpression:matches([async=true], [body.type="NewExpression"])',
        message: 'waitForFunction does not wait for promises: use until() with evaluate().',
      }],
    },
  },
  { files: ['web/client/**', 'web/element/**', 'web/notebook/**', 'web/site/inside*.js', 'web/viewer/**'], languageOptions: { globals: globals.browser } },
  // Functions in these tests run in the page.
  { files: ['tests/browser/**', 'tests/client/**', 'tests/package/**', 'tests/bench/page.mjs', 'tests/bench/handover.mjs', 'tests/bench/cluster_page.mjs'], languageOptions: { globals: { ...globals.browser, ...globals.node } } },
];
