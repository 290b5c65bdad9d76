// Counts in a file, fifty times; now and then it leaves the file locked as a process would that was killed.
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { withFileLock } from '../../../core/util/file-lock.js'

const [path = '', gone = ''] = process.argv.slice(2)
for (let at = 0; at < 50; at++) {
  await withFileLock(path, async () => {
    await writeFile(path, String(Number(await readFile(path, 'utf8')) + 1))
    if (at % 5 === 0) await writeFile(`${path}.lock`, `${gone} ${hostname()} crashed`)
  })
}
