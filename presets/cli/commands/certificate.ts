import { checkReplaceable, defaultDataDir, readConfig, writeOwnText } from '../../../core/index.js'
import { storedRoot } from '../../../plugins/https/index.js'

interface Options { readonly config?: string, readonly out?: string }

/** Prints what people compare before they trust the root certificate of this service. */
export default async function certificate ({ config: file, out }: Options): Promise<void> {
  const { config } = await readConfig(file)
  const root = await storedRoot(config.dataDir ?? defaultDataDir())
  if (root === undefined) {
    return console.log('There is no root certificate yet: it is made when somebody opens an encrypted page, or the page Encryption.')
  }
  console.log(`SHA-256 fingerprint  ${root.fingerprint}\nValid until          ${new Date(root.validUntil).toISOString().slice(0, 10)}`)
  if (out === undefined) return
  await checkReplaceable(out)
  await writeOwnText(out, root.certificate)
  console.log(`Written to           ${out}`)
}
