import { baseUrlFor, definePlugin, route } from '../../core/index.js'
import { followOthers } from '../people/index.js'
import {
  addPasskey, beginAddingPasskey, readOwnPasskeys, removePasskey, removePasskeysOf, requirePasskey
} from './operations.js'
import { accountPage } from './pages.js'
import { PasskeyService } from './passkey-service.js'
import { serveLogin } from './serve-login.js'
import { migrations } from './tables.js'

declare module 'prnd' {
  interface Services {
    /** Passkeys of users. */
    passkeys: PasskeyService
  }
}

const tag = 'People'

/** Users log in with a passkey of their device instead of a password. */
export default definePlugin({
  name: 'passkeys',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Logins with passkeys',
  needs: ['database', 'http', 'people'],
  provides: ['passkeys'],
  uses: ['disk'],
  contributes: {
    migrations,
    pages: [accountPage],
    routes: [
      route(readOwnPasskeys, { method: 'GET', path: '/people/me/passkeys', tag }),
      route(beginAddingPasskey, { method: 'POST', path: '/people/me/passkeys/options', tag }),
      route(addPasskey, { method: 'POST', path: '/people/me/passkeys', tag }),
      route(removePasskey, { method: 'DELETE', path: '/people/me/passkeys', tag }),
      route(requirePasskey, { method: 'PATCH', path: '/people/me/passkeys', tag }),
      route(removePasskeysOf, { method: 'DELETE', path: '/people/users/passkeys', tag })
    ]
  },
  setup ({ app, kernel, log, events, services, provide, onReady, onClose }) {
    const { database, people } = services
    const passkeys = new PasskeyService({ database, now: kernel.now })
    provide('passkeys', passkeys)
    people.refusePasswords(person => passkeys.isStrict(person))
    serveLogin(app, {
      services,
      baseUrl: request => baseUrlFor(kernel, `${request.protocol === 'https' ? 'https://' : ''}${request.host}`),
      onLogin: login => { events.emit('people:login', login) }
    })
    const problem = (error: unknown) => { log.warn({ err: error }, 'passkeys cannot be read') }
    const others = followOthers({
      read: () => passkeys.readStrict(), isShared: database.status.kind !== 'sqlite', onProblem: problem
    })
    // The database is not opened before there are users.
    let first: Promise<void> | undefined
    const off = events.on('people:changed', () => {
      first ??= others.begin()
      first.then(() => passkeys.tidy()).catch(problem)
    })
    onReady(async () => { await first })
    onClose(() => {
      off()
      others.end()
    })
  }
})
