import { join } from 'node:path'
import type { Test } from 'tap'
import { definePreset } from '../../../core/index.js'
import type { VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import files from '../../../plugins/files/index.js'
import { projectsWith } from '../../../plugins/projects/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot, type Booted } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'
import { without } from '../../helpers/without.js'

export interface BootedProjects extends Booted {
  /** Addresses that were opened on the host. */
  readonly opened: readonly string[]
  readonly folder: string
}

/** A virtual printer with sample projects on its card, and a kernel over it. */
export async function bootProjects (t: Test, options: Partial<VirtualPrinterOptions> = {}): Promise<BootedProjects> {
  const opened: string[] = []
  const folder = testFolder(t)
  const projects = projectsWith({ folder, openBrowser: async address => opened.push(address) > 0 })
  const preset = definePreset({ name: 'test', plugins: [without(daemon.plugins, 'files', 'projects'), files, projects] })
  const booted = await boot(t, {
    preset,
    config: { dataDir: join(folder, 'data') },
    models: [{ model: 'X1C', reportEveryMs: 100, sdCard: { samples: true }, ...options }]
  })
  return Object.assign(Object.create(booted) as Booted, { opened, folder })
}
