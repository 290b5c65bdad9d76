import { Type } from 'typebox'
import { mayUse, operation, VERSION } from '../../core/index.js'
import { SetInFile } from '../database/index.js'
import { findInstallation, INSTALLATIONS, UPDATE_COMMANDS } from './installation.js'

/** Where tagged versions are; the same as in package.json. */
export const REPOSITORY = 'https://example.org/prnd'

const Time = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description: `${description}, ms since the epoch` })

const View = Type.Object({
  check: Type.Boolean({ description: 'Whether the service asks for new versions' }),
  origin: Type.Enum(['file', 'stored', 'none'], { description: '`file`: from the configuration file, and only changed there' }),
  registry: Type.String({ description: 'Whom it asks' }),
  version: Type.String({ description: 'Of this service' }),
  newest: Type.Union([Type.String(), Type.Null()], { description: 'A version that is newer; null: none is known' }),
  changelog: Type.Union([Type.String(), Type.Null()], { description: 'Address of what is new in it' }),
  installed: Type.Enum([...INSTALLATIONS], { description: 'How this copy seems to have been installed' }),
  command: Type.Union([Type.String(), Type.Null()], { description: 'What updates such a copy, if it is one command' }),
  asked_at: Time('When a service on this database asked last'),
  next_at: Time('When it asks again'),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why the last time failed' }),
  may_change: Type.Boolean({ description: 'The caller may switch it' })
}, { 'x-name': 'Updates' })

/** What is new in a version. */
export const changelogOf = (version: string): string => `${REPOSITORY}/blob/v${version}/CHANGELOG.md`

export const switchUpdates = operation({
  name: 'updates.switch',
  summary: 'Choose whether the service asks once a day for new versions of itself',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'If it is on, the service asks a registry of packages once a day, which sees the address of your network. Nothing ' +
    'is downloaded or installed.',
  note: ({ check }) => check ? 'on' : 'off',
  input: Type.Object({ check: Type.Boolean() }),
  output: Type.Object({ check: Type.Boolean() }),
  errors: [SetInFile],
  async preview ({ services: { updates } }) {
    updates.settings.checkOpen()
    return { checked: ['it is not set in the configuration file'] }
  },
  async run ({ services: { updates }, askedBy, log }, { check }) {
    await updates.settings.change(() => ({ check }), askedBy)
    await updates.look().catch((error: Error) => log.warn({ err: error }, 'new versions cannot be asked for'))
    return { check }
  }
})

export const readUpdates = operation({
  name: 'updates.read',
  summary: 'The version of this service, and a newer one if the service asks for that',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: View,
  async run ({ kernel, caller, services: { updates } }) {
    const { isOn, newest, askedAt, nextAt, problem } = await updates.known()
    const installed = findInstallation()
    return {
      check: isOn,
      origin: updates.settings.origin,
      registry: updates.registry.host,
      version: VERSION,
      newest,
      changelog: newest === null ? null : changelogOf(newest),
      installed,
      command: UPDATE_COMMANDS[installed],
      asked_at: askedAt,
      next_at: nextAt,
      problem,
      may_change: mayUse(kernel, switchUpdates, caller)
    }
  }
})
