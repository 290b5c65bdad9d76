import { Type } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { BadRule, NotAccepted, NotAuthor, NotOwnRule, NoRule, RuleChanged, RulesFull } from './errors.js'
import {
  CheckView, Lang, RuleId, RuleInput, ruleFields, RulesView, RuleView, Secret, Service, Vocabulary
} from './schemas.js'

const Accept = Type.String({ maxLength: 64, description: 'As the check of the rule returned it' })
const lang = Type.Optional(Lang)
const Saved = Type.Object({ rule: RuleView, webhook: Secret })

export const listRules = operation({
  name: 'rules.list',
  summary: 'Rules, in words and as data',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ lang }),
  output: RulesView,
  run: (context, { lang = 'en' }) => context.services.rules.list(context, lang)
})

export const checkRule = operation({
  name: 'rules.check',
  summary: 'Check a rule that is not saved: errors, and what it would do without a person',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ rule: RuleInput, lang }),
  output: CheckView,
  run: (context, { rule, lang = 'en' }) => context.services.rules.check(context, rule, lang)
})

export const readVocabulary = operation({
  name: 'rules.vocabulary',
  summary: 'What rules can be made of: events, values, operations',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    find: Type.Optional(Type.String({ maxLength: 100, description: 'Only what has one of these words in its name; left out: all' })),
    lang
  }),
  output: Vocabulary,
  run: (context, { find, lang = 'en' }) => context.services.rules.vocabulary(context, lang, find)
})

export const addRule = operation({
  name: 'rules.add',
  summary: 'Save a rule that a person has accepted',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'From now on the service does what the rule says, without asking anyone.',
  input: Type.Object({
    ...RuleInput.properties,
    accept_consequence: Accept,
    enabled: Type.Optional(Type.Boolean({ description: 'Left out: true' })),
    lang
  }),
  output: Saved,
  errors: [BadRule, NotAccepted, NotAuthor, RulesFull],
  note: ({ name }) => `'${name}'`,
  run: (context, { accept_consequence: accept, enabled = true, lang = 'en', ...rule }) =>
    context.services.rules.add(context, rule, { accept, enabled, lang })
})

export const changeRule = operation({
  name: 'rules.change',
  summary: 'Change a rule; whoever changes it becomes its author',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'Runs of the rule that are in progress stop. From now on the service does what the changed rule says.',
  input: Type.Object({
    id: RuleId,
    ...Type.Partial(Type.Object(ruleFields)).properties,
    renew_webhook: Type.Optional(Type.Boolean({ description: 'A new secret for its webhook; the old one ends' })),
    accept_consequence: Accept,
    changed_at: Type.Optional(Type.Integer({ description: 'Of the rule as it was read: refused if somebody changed it since' })),
    lang
  }),
  output: Saved,
  errors: [BadRule, NotAccepted, NotAuthor, NotOwnRule, NoRule, RuleChanged],
  note: ({ id }) => id,
  run: (context, { id, accept_consequence: accept, renew_webhook: renew = false, changed_at: read, lang = 'en', ...changes }) =>
    context.services.rules.change(context, id, changes, { accept, renew, read, lang })
})

export const removeRule = operation({
  name: 'rules.remove',
  summary: 'Remove a rule',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The rule is gone, and its runs that are in progress stop; heaters that they switched on go off, all else goes on.',
  input: Type.Object({ id: RuleId }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoRule, NotOwnRule],
  note: ({ id }) => id,
  async run (context, { id }) {
    await context.services.rules.remove(context, id)
    return { id }
  }
})

export const enableRule = operation({
  name: 'rules.enable',
  summary: 'Switch a rule on or off',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Switched on, it does what it says without asking; switched off, its runs stop, and heaters that they switched on go off.',
  input: Type.Object({ id: RuleId, enabled: Type.Boolean(), lang }),
  output: RuleView,
  errors: [NoRule, NotOwnRule, NotAuthor, BadRule],
  note: ({ id, enabled }) => `${id} ${enabled ? 'on' : 'off'}`,
  run: (context, { id, enabled, lang = 'en' }) => context.services.rules.enable(context, id, enabled, lang)
})

export const switchRules = operation({
  name: 'rules.switch',
  summary: 'The main switch of all rules',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Switched off, no rule runs and runs in progress stop; heaters that they switched on go off. Switched on, rules act again without asking.',
  input: Type.Object({ enabled: Type.Boolean() }),
  output: Service,
  errors: [NotAuthor],
  note: ({ enabled }) => enabled ? 'on' : 'off',
  run: (context, { enabled }) => context.services.rules.switchAll(context, enabled)
})

/** Parameters of a route that must not be both missing. */
export const oneOf = (...given: readonly unknown[]): void => {
  if (given.every(value => value === undefined)) throw new BadInput('Give either the rule or its id')
}
