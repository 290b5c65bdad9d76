// Takes a file and keeps it until a test kills it.
import { setTimeout as sleep } from 'node:timers/promises'
import { withFileLock } from '../../../core/util/file-lock.js'

await withFileLock(process.argv[2] ?? '', async () => {
  process.stdout.write('mine\n')
  await sleep(60_000) // should the test be gone
})
