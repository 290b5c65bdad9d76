import { configurationSchema, pluginsOf } from '../../core/index.js'
import daemon from '../daemon/index.js'
import standalone from '../standalone/index.js'

/** The schema of the whole configuration, with the plugins of both applications, which may share a file. */
export const knownOptions = () => configurationSchema([...new Map([standalone, daemon]
  .flatMap(({ plugins }) => pluginsOf(plugins)).map(plugin => [plugin.name, plugin] as const)).values()])
