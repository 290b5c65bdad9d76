import { statfs } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { Type } from 'typebox'
import { BadConfig, configurationSchema, definePlugin, openJsonStore, type AnyPlugin } from '../../core/index.js'
import type { Messages } from '../notify/index.js'
import { BackupMaker } from './backup-maker.js'
import { NightlyBackups, NightlyPlan, USUAL_PLAN } from './nightly-backups.js'
import { backupPage } from './pages.js'
import routes from './routes.js'

export { CODES, CONFIGURATION, configurationIn, contentsOf, FILES, RELAY_CLIENTS, SETTINGS, settingsIn } from './contents.js'
export { checkBackup, entriesOf, writeBackup } from './file.js'

declare module 'prnd' {
  interface Services {
    backup: BackupMaker
    nightlyBackups: NightlyBackups
  }
}

/**
 * A backup that fails is missed only when it is needed, so everyone who gets messages about all printers is told, once
 * a day.
 */
function tell (messages: Messages, printers: readonly string[], day: string, why: string): Promise<string[]> {
  return messages.send({
    id: `backup-failed-${day}`,
    kind: 'backup_failed',
    severity: 'medium',
    printers,
    title: 'The backup of this night failed',
    text: `${why}. It is tried again every hour.`,
    payload: { day, problem: why }
  }, messages.targets().map(({ name }) => name))
}

/** Backups in the browser: the same file as that of the command line, without secrets. */
export default definePlugin({
  name: 'backup',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Backups to download, and every night',
  needs: ['database'],
  optional: ['messages'],
  provides: ['backup', 'nightlyBackups'],
  uses: ['disk'],
  options: Type.Object({
    folder: Type.Optional(Type.String({
      title: 'path',
      description: 'Folder for the backups of every night, such as one on another disk. It must exist; default: `backups` in the data folder'
    }))
  }),
  contributes: { routes, pages: [backupPage] },
  async setup (context) {
    const { options, kernel, services, optional: { messages }, contributed, folder, log, signal } = context
    const { provide, onReady, onClose } = context
    const { dataDir, configFile, config, now } = kernel
    if (options.folder !== undefined && !isAbsolute(options.folder)) {
      throw new BadConfig(`plugins.backup.folder: '${options.folder}' must be an absolute path`)
    }
    /** Plugins from outside may not mark their secrets: their texts are left out. */
    const schema = () => {
      const outside = new Set(kernel.outside.map(({ plugin }) => plugin.name))
      const ours = [...kernel.plugins.values()].filter(({ name }) => !outside.has(name))
      return configurationSchema(ours as AnyPlugin[], contributed)
    }
    const databaseUrl = (config.plugins.database as { url?: string } | undefined)?.url
    const sources = { dataDir, configFile, databaseUrl, schema, now }
    const maker = new BackupMaker({ ...sources, folder: await folder() })
    await maker.discard()
    provide('backup', maker)
    const nightly = new NightlyBackups({
      ...sources,
      folder: options.folder ?? join(dataDir, 'backups'),
      makesFolder: options.folder === undefined,
      trialFolder: join(await folder(), 'trial'),
      freeAt: async path => statfs(path).then(({ bavail, bsize }) => bavail * bsize),
      plan: await openJsonStore(join(await folder(), 'settings.json'), {
        schema: NightlyPlan, initial: USUAL_PLAN, warn: message => log.warn(message)
      }),
      database: services.database,
      connect: () => kernel.connections.add({
        name: 'backup', plugin: 'backup', what: 'the backup of every night', address: 'a folder'
      }),
      onFailed: (error, day, why) => {
        log.error({ err: error }, 'the backup of this night failed')
        if (messages === undefined) return
        tell(messages, kernel.printers.names, day, why)
          .catch(fault => log.error({ err: fault }, 'nobody could be told that the backup failed'))
      },
      redact: kernel.redact,
      signal
    })
    provide('nightlyBackups', nightly)
    onReady(() => { void nightly.look() })
    onClose(async () => {
      await nightly.close()
      await maker.discard()
    })
  }
})
