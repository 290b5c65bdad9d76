import { definePlugin, route } from '../../core/index.js'
import { followOthers } from '../people/index.js'
import { PROTECTED_PATH } from './address.js'
import { serveEndpoints } from './endpoints.js'
import { serveMetadata } from './metadata.js'
import { OAuthService } from './oauth-service.js'
import { addGrant, listGrants, readRequest, revokeGrant } from './operations.js'
import { consentPage, grantsPage } from './pages.js'
import { migrations } from './tables.js'

declare module 'prnd' {
  interface Services {
    /** Programs that users connected. */
    oauth: OAuthService
  }
}

const tag = 'People'
const MINUTE_MS = 60_000
/** Old entries are also removed without a reason, after this many minutes. */
const TIDY_MINUTES = 60

/** The authorization server of the endpoint for agents: users connect programs in their browser. */
export default definePlugin({
  name: 'oauth',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'OAuth for agents: users connect programs in their browser, with limits',
  needs: ['database', 'http', 'people'],
  provides: ['oauth'],
  uses: ['network', 'disk'],
  contributes: {
    migrations,
    pages: [consentPage, grantsPage],
    routes: [
      route(readRequest, { method: 'GET', path: '/oauth/request', tag }),
      route(listGrants, { method: 'GET', path: '/oauth/grants', tag }),
      route(addGrant, { method: 'POST', path: '/oauth/grants', tag }),
      route(revokeGrant, { method: 'DELETE', path: '/oauth/grants', tag })
    ]
  },
  setup ({ app, kernel, log, events, services: { database, http }, provide, onReady, onClose }) {
    const oauth = new OAuthService({
      kernel, log, database, isServed: () => app.hasRoute({ method: 'POST', url: PROTECTED_PATH })
    })
    http.access.knowGrants(oauth)
    provide('oauth', oauth)
    serveMetadata(app, request => oauth.offeredAt(request))
    const { now } = kernel
    serveEndpoints(app, oauth, { now, monotonic: now === Date.now ? () => performance.now() : now })

    const problem = (what: string) => (error: unknown) => { log.warn({ err: error }, `grants of programs cannot be ${what}`) }
    const others = followOthers({
      read: oauth.grants.read, isShared: database.status.kind !== 'sqlite', onProblem: problem('read')
    })
    // The database is not opened before there are users.
    let first: Promise<void> | undefined
    const off = events.on('people:changed', () => { first ??= others.begin() })
    onReady(async () => { await first })
    let minutes = 0
    const timer = setInterval(() => {
      oauth.tidy(++minutes % TIDY_MINUTES === 0).catch(problem('stored'))
    }, MINUTE_MS).unref()
    onClose(() => {
      off()
      clearInterval(timer)
      others.end()
    })
  }
})
