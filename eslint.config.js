// Type-aware lint. The rules beyond the presets are the ones this project argues about least and breaks most.
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'data/', '.peers/', '.venv/', 'src/**/openapi.d.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // zod-openapi marks `example` as deprecated. Every tool reads it, and `allow` can't name a property.
      '@typescript-eslint/no-deprecated': 'off',
      // A port's method is async so that a synchronous driver's throw becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Characters are counted by code point, as people and the contract count them.
      '@typescript-eslint/no-misused-spread': 'off',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      complexity: ['error', 15],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Use parseUrl. In Node 20, canParse rejects letters such as ü.',
        },
      ],
      eqeqeq: 'error',
    },
  },
  {
    // A regular expression that takes quadratic time lets one request stop the event loop.
    files: ['src/**', 'workers/**', 'config/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // Rules of hooks; its recommended set is written for one config format more than ours.
    files: ['src/dashboard/**/*.tsx', 'src/dashboard/hooks/*.ts'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    // A classic script, which runs before modules do.
    files: ['src/dashboard/theme-boot.js'],
    languageOptions: { sourceType: 'script', globals: { document: 'readonly', localStorage: 'readonly' } },
  },
  {
    files: ['src/platform/http/pages/assets/start.js'],
    languageOptions: {
      globals: {
        ...{ document: 'readonly', location: 'readonly', DOMParser: 'readonly' },
        ...{ fetch: 'readonly', setTimeout: 'readonly' },
      },
    },
  },
  {
    files: [
      ...['src/cli/**', 'src/**/*.command.ts', 'src/operations/**', 'src/platform/command-line/**'],
      ...['scripts/**', 'src/main.ts', 'src/catalog/first-import.ts'],
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['scripts/**/*.js', 'src/dashboard/vite.config.js'],
    languageOptions: {
      globals: { URL: 'readonly', console: 'readonly', fetch: 'readonly', process: 'readonly' },
    },
  },
  {
    // chai's assertions are property reads, and a failed test needs no narrower type.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': 'off',
      'max-lines-per-function': 'off',
    },
  },
);
