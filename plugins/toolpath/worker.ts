// The thread that reads plates, or that draws outlines, one after the other.
import { parentPort } from 'node:worker_threads'
import { drawOutline, type OutlineTask } from './outline/draw-outline.js'
import { readPlate, type ReadTask } from './worker/read-plate.js'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')

port.on('message', ({ id, task }: { id: number, task: ReadTask | OutlineTask }) => {
  const work: Promise<unknown> = task.kind === 'outline' ? drawOutline(task) : readPlate(task)
  work.then(
    result => port.postMessage({ id, result }),
    (error: unknown) => port.postMessage({ id, error: error instanceof Error ? error.message : String(error) }))
})
