import { route } from '../../core/index.js'
import {
  addRule, changeRule, checkRule, enableRule, listRules, readVocabulary, removeRule, switchRules
} from './operations.js'
import {
  acceptProposal, discardProposal, listProposals, listRuns, proposeRule, stopRun, tryRule
} from './run-operations.js'

const tag = 'Rules'

export default [
  route(listRules, { method: 'GET', path: '/rules', tag, etag: true }),
  route(addRule, { method: 'POST', path: '/rules', tag }),
  route(changeRule, { method: 'PATCH', path: '/rules', tag }),
  route(removeRule, { method: 'DELETE', path: '/rules', tag }),
  route(enableRule, { method: 'POST', path: '/rules/enable', tag }),
  route(readVocabulary, { method: 'GET', path: '/rules/vocabulary', tag, etag: true }),
  route(checkRule, { method: 'POST', path: '/rules/check', tag }),
  route(tryRule, { method: 'POST', path: '/rules/try', tag }),
  route(listRuns, { method: 'GET', path: '/rules/runs', tag }),
  route(stopRun, { method: 'POST', path: '/rules/stop', tag }),
  route(switchRules, { method: 'PATCH', path: '/rules/service', tag }),
  route(listProposals, { method: 'GET', path: '/rules/proposals', tag }),
  route(proposeRule, { method: 'POST', path: '/rules/propose', tag }),
  route(acceptProposal, { method: 'POST', path: '/rules/proposals/accept', tag }),
  route(discardProposal, { method: 'POST', path: '/rules/proposals/discard', tag })
]
