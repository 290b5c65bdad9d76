import { definePlugin } from '../../core/index.js'
import type {} from '../health/index.js' // the service healthModels
import { ActiveDetectors } from './active-detectors.js'
import { Networks } from './networks.js'
import { Options } from './options.js'
import { monitorPage } from './pages.js'
import routes from './routes.js'
import { createInferenceClient } from './runtime/client.js'
import { modelFolder, runtimeFolder } from './runtime/runtime-packages.js'

export { addModel } from './add-model.js'
export { CATALOGUE, type Published } from './catalogue.data.js'
export { consentText, publishedNamed, sourcesIn } from './sources.js'
export type { ModelOverrides } from './describe-model.js'
export { createInferenceClient, type InferenceClient } from './runtime/client.js'
export { installRuntime } from './runtime/install-runtime.js'
export { installedRuntimes, modelFolder, runtimeFolder, RUNTIMES } from './runtime/runtime-packages.js'
export { findings, understood } from './describe-words.js'
export { drawBoxes } from './draw-boxes.js'
export { fileDetectors, scoreOf } from './file-detectors.js'
export { SCALES } from './normalisation.js'
export { Options } from './options.js'
export { dropModel, storedModels, verifyModel, type StoredModel } from './store.js'
export { knownModels, usedModels } from './used-models.js'
export { BOX_FORMATS, BUILT_IN, FITS, KINDS, type Kind, type Model } from './types.js'

declare module 'prnd' {
  interface Services {
    /** Which networks judge prints, and their changes. */
    networks: Networks
  }
}

/**
 * Judges pictures by neural networks: the built-in one, files that the user has added (`prnd health model add`), and a
 * server.
 */
export default definePlugin({
  name: 'health-model',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Judges prints by neural networks: the built-in one, one that you add, or one on a server',
  uses: ['camera', 'disk', 'network'],
  provides: ['healthModels', 'networks'],
  options: Options,
  contributes: { routes, pages: [monitorPage] },
  async setup ({ options, log, events, kernel, provide, onClose }) {
    const folder = modelFolder(kernel.dataDir)
    const warn = (message: string) => log.warn(message)
    const trialClient = () => createInferenceClient(runtimeFolder(folder))
    const client = trialClient()
    const { connections, maskSecret } = kernel
    const active = new ActiveDetectors({ folder, options, client, connections, maskSecret, warn })
    await active.begin()
    const networks = new Networks({ folder, options, active, client, trialClient, warn })
    events.on('printer:forgotten', printer => active.forget(printer))
    provide('healthModels', { get detectors () { return active.detectors } })
    provide('networks', networks)
    onClose(async () => {
      await networks.close()
      client.close()
      await active.settled()
    })
  }
})
