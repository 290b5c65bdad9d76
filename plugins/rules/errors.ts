import { defineError } from '../../core/index.js'

export const NoRule = defineError<[id: string]>('PRN_ERR_NO_SUCH_RULE', "There is no rule '%s': see the list of rules", 404)
export const RuleChanged = defineError<[name: string]>('PRN_ERR_RULE_CHANGED',
  "'%s' was changed meanwhile: nothing was saved. Read what it does now, then change that", 409)
export const NoRuleRun = defineError<[id: string]>('PRN_ERR_NO_SUCH_RULE_RUN', "No run '%s' of a rule is in progress", 404)
export const NoProposal = defineError<[id: string]>('PRN_ERR_NO_SUCH_RULE_PROPOSAL',
  "There is no proposal '%s': see the list of proposals", 404)
export const BadRule = defineError<[problems: string]>('PRN_ERR_RULE', 'The rule cannot be saved: %s', 400)
export const NotAccepted = defineError('PRN_ERR_RULE_NOT_ACCEPTED',
  'The rule acts without a person, so a person must accept its consequence: check it, read the consequence, ' +
  'and send accept_consequence of the answer', 409)
export const RulesFull = defineError<[most: number]>('PRN_ERR_RULES_FULL', 'There are %d rules already: remove some first', 409)
export const ProposalsFull = defineError<[most: number]>('PRN_ERR_RULE_PROPOSALS_FULL',
  '%d proposals wait for a person: accept or discard some first', 409)
export const NotAuthor = defineError<[reason: string]>('PRN_ERR_RULE_AUTHOR', '%s', 403)
export const NotOwnRule = defineError<[name: string, author: string]>('PRN_ERR_NOT_OWN_RULE',
  "'%s' is a rule of %s: only its author or an administrator may do that", 403)
export const NoSuchHook = defineError('PRN_ERR_NO_SUCH_WEBHOOK', 'There is no such webhook', 404)
export const TooManyHooks = defineError<[seconds: number]>('PRN_ERR_TOO_MANY_WEBHOOKS',
  'Too many calls of webhooks: try again in %d s', 429)
