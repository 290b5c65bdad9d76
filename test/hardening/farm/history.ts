import type { Ledger } from './ledger.js'
import type { Service } from './service.js'

interface Print { readonly printer: string, readonly task_id: string, readonly name: string, readonly result: string }

/** Prints of the record, all pages, newest first. */
async function prints ({ ask }: Service): Promise<Print[]> {
  const found: Print[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { prints: Print[], cursor: string | null } =
      await ask('GET', `/api/history?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
    found.push(...page.prints)
    cursor = page.cursor
  }
  return found
}

/** Copies of the queue that are recorded as finished, by however many services. */
export async function countRecorded (service: Service): Promise<number> {
  const finished = (await prints(service)).filter(({ result, task_id: task }) =>
    result === 'finished' && !['', '0'].includes(task))
  return new Set(finished.map(({ printer, task_id: task }) => `${printer} ${task}`)).size
}

/** Where the record and the printers differ, in words: each print is recorded once. */
export async function differences (service: Service, ledgers: readonly Ledger[]): Promise<string[]> {
  const recorded = new Map<string, string[]>()
  for (const { printer, task_id: task, name, result } of await prints(service)) {
    const key = `${printer} ${['', '0'].includes(task) ? name : task}`
    recorded.set(key, [...recorded.get(key) ?? [], result])
  }
  const told = ledgers.flatMap(({ printer, prints }) => [...prints].map(([key, result]) => {
    const name = `${printer.name} ${key}`
    const results = recorded.get(name) ?? []
    recorded.delete(name)
    return results.length === 1 && results[0] === result
      ? []
      : `${name}: ${result}, recorded as ${results.join(' and ') || 'nothing'}`
  }))
  return [...told.flat(), ...[...recorded.keys()].map(name => `${name}: recorded, never seen`)]
}
