import { KINDS, TASKS, type Task } from './tasks.data.js'
import type { World } from './world.js'

/** Is told one task and where the server is, acts, and may answer. */
export type Agent = (task: Pick<Task, 'id' | 'text'>, url: string) => Promise<string>

export interface TaskResult {
  readonly id: string
  readonly kind: Task['kind']
  readonly done: boolean
  readonly answer: string
  /** Commands by printer, such as `x1c: project_file`. */
  readonly sent: readonly string[]
  /** Why the agent ended without an answer; empty if it did not. */
  readonly error: string
  readonly seconds: number
}

const MOST_ANSWER = 500
const MS_PER_SECOND = 1_000

async function runTask (task: Task, world: World, url: string, agent: Agent): Promise<TaskResult> {
  await world.reset(task.prepare)
  const beganAt = performance.now()
  let error = ''
  const answer = await agent({ id: task.id, text: task.text }, url).catch((failure: Error) => {
    error = failure.message
    return ''
  })
  const seen = world.seen(answer)
  return {
    id: task.id,
    kind: task.kind,
    done: task.isDone(seen),
    answer: answer.slice(0, MOST_ANSWER),
    sent: Object.entries(seen.sent).flatMap(([name, commands]) => commands.map(({ command }) => `${name}: ${command}`)),
    error,
    seconds: Math.round((performance.now() - beganAt) / MS_PER_SECOND * 10) / 10
  }
}

/** Gives every task to an agent, one after the other. */
export async function runTasks (world: World, url: string, agent: Agent): Promise<readonly TaskResult[]> {
  const results = []
  for (const task of TASKS) results.push(await runTask(task, world, url, agent))
  return results
}

export const scoreOf = (results: readonly TaskResult[]): number => results.filter(({ done }) => done).length

/** A table for people; the results themselves are for programs. */
export function markdownOf (results: readonly TaskResult[], who: string): string {
  const byKind = KINDS.map(kind => {
    const own = results.filter(result => result.kind === kind)
    return `${kind} ${scoreOf(own)}/${own.length}`
  })
  const rows = results.map(({ id, kind, done, sent, seconds }) =>
    `| ${id} | ${kind} | ${done ? 'done' : 'failed'} | ${[...new Set(sent)].join(', ') || 'nothing'} | ${seconds} |`)
  return [
    `# ${who}: ${scoreOf(results)} of ${results.length}`, '', byKind.join(' · '), '',
    '| Task | Kind | Outcome | Sent to printers | Seconds |', '|---|---|---|---|---|', ...rows, ''
  ].join('\n')
}
