import { configurationSchema, definePlugin, type AnyPlugin } from '../../core/index.js'
import { BackupMaker } from './backup-maker.js'
import { backupPage } from './pages.js'
import routes from './routes.js'

export { CODES, CONFIGURATION, configurationIn, contentsOf, FILES, SETTINGS, settingsIn } from './contents.js'
export { checkBackup, entriesOf, writeBackup } from './file.js'

declare module 'prnd' {
  interface Services { backup: BackupMaker }
}

/** Backups in the browser: the same file as that of the command line, without secrets. */
export default definePlugin({
  name: 'backup',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Backups to download',
  needs: ['database'],
  provides: ['backup'],
  uses: ['disk'],
  contributes: { routes, pages: [backupPage] },
  async setup ({ kernel, contributed, folder, provide, onClose }) {
    const { dataDir, configFile, config, now } = kernel
    /** Plugins from outside may not mark their secrets: their texts are left out. */
    const schema = () => {
      const outside = new Set(kernel.outside.map(({ plugin }) => plugin.name))
      const ours = [...kernel.plugins.values()].filter(({ name }) => !outside.has(name))
      return configurationSchema(ours as AnyPlugin[], contributed)
    }
    const maker = new BackupMaker({
      folder: await folder(),
      dataDir,
      configFile,
      databaseUrl: (config.plugins.database as { url?: string } | undefined)?.url,
      schema,
      now
    })
    await maker.discard()
    provide('backup', maker)
    onClose(() => maker.discard())
  }
})
