import { pagesOf, tool } from '../../core/index.js'
import { checkRule, listRules, readVocabulary } from './operations.js'
import { listRuns, proposeRule, tryRule } from './run-operations.js'

export default [
  tool(listRules, {
    name: 'list_rules',
    description: 'Rules that act without a person: when, if, then, in words and as data',
    errors: 'coded',
    pages: pagesOf('rules'),
    onRequest: true
  }),
  tool(listRuns, {
    name: 'explain_rule_runs',
    description: 'What rules did, or did not do, and why, with the result of every step',
    errors: 'coded',
    limited: 'runs',
    less: 'a rule or a limit',
    onRequest: true
  }),
  tool(readVocabulary, {
    name: 'list_rule_words',
    description: 'What rules can be made of: events, values and operations with their inputs, by name; ask before you write one',
    errors: 'coded',
    pages: pagesOf('events', 'values', 'operations'),
    less: 'words to find',
    onRequest: true
  }),
  tool(checkRule, {
    name: 'check_rule',
    description: 'Errors of a rule and what it would do without a person; nothing is saved',
    errors: 'coded',
    onRequest: true
  }),
  tool(tryRule, {
    name: 'try_rule',
    description: 'How often a rule would have run in the past days, when and why; nothing is done',
    errors: 'coded',
    onRequest: true
  }),
  tool(proposeRule, {
    name: 'propose_rule',
    description: 'Propose a rule: a person saves it on the page Rules, or does not',
    errors: 'coded',
    idempotent: false,
    onRequest: true
  })
]
