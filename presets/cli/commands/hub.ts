import hubPreset from '../../hub/index.js'
import { runDaemon } from '../../daemon/main.js'
import { offerToken } from '../offer-token.js'
import { withoutSwitch } from '../emulated-printers.js'

/** A hub has no printers of its own, so none stands in. */
export default async function hub ({ config }: { readonly config?: string }): Promise<void> {
  await offerToken(config)
  await runDaemon({ config, preset: hubPreset, adapt: withoutSwitch })
}
