import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, openJsonStore, route, tool } from '../../core/index.js'
import { Bookings, keyBudgets, settleBookings } from './budgets/bookings.js'
import { createChangeNotice } from './change-notice.js'
import { createDirectory, type LoginEvent } from './directory.js'
import { followOthers } from './follow-others.js'
import { addKey, changeKey, listKeys, revokeKey } from './key-operations.js'
import { addUser, changeOwnPassword, changeUser, listUsers, removeUser, whoAmI } from './operations.js'
import { foreignLogin, openOpenId, OpenIdOptions } from './openid/index.js'
import { peoplePage } from './pages.js'
import { createPeopleService, type PeopleService } from './people-service.js'
import type { Snapshot } from './snapshot.js'
import { createStore } from './store.js'
import { migrations } from './tables.js'

export type { Account, Bookings } from './budgets/bookings.js'
export { BudgetLimits, BudgetView, budgetIn, budgetView, storedBudget } from './budgets/limits.js'
export type { StoredBudget } from './budgets/limits.js'
export type { LoginEvent } from './directory.js'
export { NoPasswordHere, NoSuchPerson, NotAPerson, WrongPassword } from './errors.js'
export { followOthers } from './follow-others.js'
export { newSecret } from './secret.js'
export { digestOf } from './snapshot.js'

declare module 'prnd' {
  interface Services {
    /** Users, keys and logins. */
    people: PeopleService
  }
}

const tag = 'People'

const Options = Type.Object({
  required: Type.Boolean({
    default: false,
    description: 'Require a login or the token even while there are no users: for services that share a database'
  }),
  openid: Type.Optional(OpenIdOptions)
})

/** Open connections of expired keys and logins end within this time. */
const EXPIRY_MS = 5_000

const Known = Type.Object({ version: Type.Literal(1), known: Type.Boolean() })

/** Users with roles, and API keys. No credentials are required until the first of them is added. */
export default definePlugin({
  name: 'people',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Users with roles, API keys, and who may use which printers',
  needs: ['database', 'http'],
  provides: ['people'],
  uses: ['disk'],
  options: Options,
  contributes: {
    migrations,
    pages: [peoplePage],
    routes: [
      route(whoAmI, { method: 'GET', path: '/people/me', tag }),
      route(changeOwnPassword, { method: 'POST', path: '/people/me/password', tag }),
      route(listUsers, { method: 'GET', path: '/people/users', tag }),
      route(addUser, { method: 'POST', path: '/people/users', tag }),
      route(changeUser, { method: 'PATCH', path: '/people/users', tag }),
      route(removeUser, { method: 'DELETE', path: '/people/users', tag }),
      route(listKeys, { method: 'GET', path: '/people/keys', tag }),
      route(addKey, { method: 'POST', path: '/people/keys', tag }),
      route(changeKey, { method: 'PATCH', path: '/people/keys', tag }),
      route(revokeKey, { method: 'DELETE', path: '/people/keys', tag })
    ],
    tools: [
      tool(whoAmI, {
        name: 'who_am_i',
        description: 'Own name, role and printers, and what is left of the budget',
        listedFor: rights => rights?.budget !== undefined
      })
    ]
  },
  async setup ({ app, kernel, log, folder, options, services, provide, onReady, onClose }) {
    const { openid } = options
    const required = options.required || openid !== undefined
    const { database, http } = services
    const { now, events, dataDir } = kernel
    const isFile = database.status.kind === 'sqlite'
    const onLogin = (login: LoginEvent) => { events.emit('people:login', login) }
    const bookings = new Bookings({ database, now })
    const budgetOf = keyBudgets(bookings, () => people.snapshot.keys)
    const people = createDirectory({
      budgetOf,
      store: () => store,
      now,
      log,
      required,
      realm: isFile ? dataDir : 'shared',
      foreignLogin: openid && foreignLogin(openid, kernel),
      onLogin
    })
    // Whether users exist is stored outside the database, so that the service stays locked while that is unavailable.
    const path = join(await folder(), 'known.json')
    let isUnknown = !existsSync(path)
    const memory = await openJsonStore(path, {
      schema: Known,
      initial: { version: 1, known: false },
      warn (message) {
        isUnknown = true
        log.error(message)
      }
    })
    // A database that was never used holds no users and need not be opened.
    const mayHoldUsers = !isFile || existsSync(join(dataDir, 'plugins', 'database', 'prnd.sqlite'))
    // Without the file, as after a restore or when it was damaged, nobody knows whether there are users.
    people.expect(memory.get().known || (mayHoldUsers && isUnknown))

    async function put (snapshot: Snapshot): Promise<void> {
      people.put(snapshot)
      const known = snapshot.users.length + snapshot.keys.length > 0
      people.expect(known)
      if (isUnknown || memory.get().known !== known) await memory.set({ version: 1, known })
      isUnknown = false
      notice.put(snapshot)
    }
    const notice = createChangeNotice({ now, tell: () => { events.emit('people:changed') } })
    const expiring = setInterval(() => notice.look(), EXPIRY_MS).unref()
    const store = createStore({ database, now, onChange: put })

    http.access.knowPeople(people.directory)
    if (openid !== undefined) {
      const { cookieName: loginCookieName } = people.directory
      await openOpenId(openid, { app, kernel, http, store, loginCookieName, onLogin })
    }
    provide('people', createPeopleService({ store, directory: people, bookings, budgetOf }))
    const others = followOthers({
      read: store.read,
      isShared: !isFile,
      onProblem: error => log.warn({ err: error }, 'users cannot be read from the database')
    })
    onReady(async () => { if (mayHoldUsers || required || memory.get().known) await others.begin() })
    const settling = settleBookings(kernel, bookings, log)
    onClose(async () => {
      settling()
      clearInterval(expiring)
      others.end()
      await memory.settled()
    })
  }
})
