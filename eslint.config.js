import neostandard from 'neostandard'

export default [
  ...neostandard({ ts: true, ignores: ['dist/**', 'site/dist/**', 'site/node_modules/**', 'build/**', 'node_modules/**', '.tap/**', 'docs/reference/**'] }),
  {
    rules: {
      // A union of many members reads better in lines; a promise nobody waits for is marked with void.
      'no-void': ['error', { allowAsStatement: true }],
      '@stylistic/max-len': ['error', {
        code: 120, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true
      }],
      '@stylistic/comma-dangle': ['error', 'never'],
      '@stylistic/space-before-function-paren': ['error', 'always'],
      '@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxBOF: 0, maxEOF: 0 }]
    }
  },
  {
    files: ['plugins/*/page/*.js'], // they run in browsers
    languageOptions: {
      globals: {
        cancelAnimationFrame: 'readonly',
        createImageBitmap: 'readonly',
        DOMParser: 'readonly',
        history: 'readonly',
        HTMLElement: 'readonly',
        IntersectionObserver: 'readonly',
        location: 'readonly',
        Option: 'readonly',
        requestAnimationFrame: 'readonly',
        ResizeObserver: 'readonly'
      }
    }
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...['testdir', 'testdirName'].map(property => ({
        property, message: 'It is removed before what the test has started ends. Use testFolder of test/helpers/folder.ts.'
      }))]
    }
  },
  {
    files: ['core/**/*.ts', 'plugins/**/*.ts', 'presets/**/*.ts'],
    ignores: ['core/util/timeout-signal.ts'],
    rules: {
      'no-restricted-properties': ['error', {
        object: 'AbortSignal', property: 'timeout', message: 'As part of a signal it may never end. Use timeoutSignal of core.'
      }]
    }
  },
  {
    files: ['core/**', 'plugins/**', 'presets/**', 'docs/**'],
    rules: { 'max-lines-per-function': ['error', 80] }
  },
  {
    files: ['**/*.ts'],
    rules: {
      'no-redeclare': 'off',
      '@typescript-eslint/no-redeclare': 'off', // a schema and its type share a name; the compiler checks the rest
      'no-use-before-define': 'off',
      '@typescript-eslint/no-use-before-define': ['error', { functions: false, classes: false, variables: false }]
    }
  }
]
