import { Type } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { NoProposal, NoRule, NoRuleRun, NotAccepted, NotAuthor, NotOwnRule, BadRule, ProposalsFull, RulesFull } from './errors.js'
import { oneOf } from './operations.js'
import { Lang, ProposalView, RuleId, RuleInput, RuleView, RunView, Secret, TryView } from './schemas.js'
import { RUN_STATES } from './types.js'

const MOST_ROWS = 200
const USUAL_ROWS = 50
const MOST_DAYS = 7
const lang = Type.Optional(Lang)
const ProposalId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a proposal' })

export const tryRule = operation({
  name: 'rules.try',
  summary: 'What a rule would have done in the past days; nothing is done',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    rule: Type.Optional(RuleInput),
    id: Type.Optional(RuleId),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_DAYS, description: 'Left out: 7' })),
    lang
  }),
  output: TryView,
  errors: [NoRule, BadRule, NotOwnRule],
  run (context, { rule, id, days = MOST_DAYS, lang = 'en' }) {
    oneOf(rule, id)
    return context.services.rules.try(context, { rule, id }, days, lang)
  }
})

export const listRuns = operation({
  name: 'rules.runs',
  summary: 'What rules did and why, newest first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    rule: Type.Optional(RuleId),
    state: Type.Optional(Type.Enum(RUN_STATES)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS })),
    cursor: Type.Optional(Type.String({ maxLength: 120, description: 'From the page before' })),
    lang
  }),
  output: Type.Object({ runs: Type.Array(RunView), cursor: Type.Union([Type.String(), Type.Null()]) }),
  errors: [NoRule],
  run (context, { limit = USUAL_ROWS, cursor, lang = 'en', ...filter }) {
    const [at = '', id = ''] = cursor?.split('_') ?? []
    if (cursor !== undefined && (!/^\d{1,15}$/.test(at) || id === '')) throw new BadInput('cursor must be that of an earlier page')
    const after = cursor === undefined ? undefined : { at: Number(at), id }
    return context.services.rules.runs(context, { ...filter, limit, after }, lang)
  }
})

export const stopRun = operation({
  name: 'rules.stop',
  summary: 'Stop a run of a rule',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The run takes no further step; heaters that it switched on go off, all else goes on.',
  input: Type.Object({ run: Type.String({ minLength: 1, maxLength: 64, description: 'Its id' }) }),
  output: Type.Object({ run: Type.String() }),
  errors: [NoRuleRun, NotOwnRule],
  async run (context, { run }) {
    await context.services.rules.stop(context, run)
    return { run }
  }
})

export const proposeRule = operation({
  name: 'rules.propose',
  summary: 'Propose a rule to the people, who save it or do not; the same proposed again is the first',
  effect: 'local',
  scope: 'daemon',
  input: Type.Object({
    rule: RuleInput,
    why: Type.Optional(Type.String({ maxLength: 500, description: 'For the person who decides' })),
    lang
  }),
  output: ProposalView,
  errors: [BadRule, ProposalsFull],
  run: (context, { rule, why = '', lang = 'en' }) => context.services.rules.propose(context, rule, why, lang)
})

export const listProposals = operation({
  name: 'rules.proposals',
  summary: 'Rules that agents have proposed',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ lang }),
  output: Type.Object({ proposals: Type.Array(ProposalView) }),
  run: (context, { lang = 'en' }) => context.services.rules.proposals(context, lang)
})

export const acceptProposal = operation({
  name: 'rules.accept',
  summary: 'Save a proposed rule; whoever accepts it is its author',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'From now on the service does what the rule says, without asking anyone.',
  input: Type.Object({
    id: ProposalId,
    accept_consequence: Type.String({ maxLength: 64, description: 'As in the list of proposals' }),
    lang
  }),
  output: Type.Object({ rule: RuleView, webhook: Secret }),
  errors: [NoProposal, NotAccepted, NotAuthor, BadRule, RulesFull],
  note: ({ id }) => id,
  run: (context, { id, accept_consequence: accept, lang = 'en' }) =>
    context.services.rules.accept(context, id, { accept, lang })
})

export const discardProposal = operation({
  name: 'rules.discard',
  summary: 'Discard a proposed rule',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The proposal is gone; no rule changes.',
  input: Type.Object({ id: ProposalId }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoProposal],
  async run (context, { id }) {
    await context.services.rules.discard(context, id)
    return { id }
  }
})
