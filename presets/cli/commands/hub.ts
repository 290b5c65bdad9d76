import hubPreset from '../../hub/index.js'
import { runDaemon } from '../../daemon/main.js'
import { offerToken } from '../offer-token.js'
import { withoutSwitch } from '../virtual-printers.js'

interface HubOptions { readonly config?: string, readonly safe?: boolean }

/** A hub has no printers of its own, so there is no virtual one. */
export default async function hub ({ config, safe }: HubOptions): Promise<void> {
  await offerToken(config)
  await runDaemon({ config, preset: hubPreset, safe, adapt: withoutSwitch })
}
