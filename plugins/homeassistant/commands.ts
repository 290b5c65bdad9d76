import type { FastifyBaseLogger } from 'fastify'
import type { Kernel } from '../../core/index.js'
import type { Message } from '../broker/index.js'
import type { Entity } from './entities/index.js'
import type { Topics } from './topics.js'

/** The addressee of a command. */
export interface Target {
  readonly printer: string
  /** Undefined when the printer does not have it, or has not reported yet. */
  readonly entity: Entity | undefined
}

export interface CommandsOptions {
  readonly kernel: Pick<Kernel, 'call' | 'operations' | 'redact'>
  readonly topics: Topics
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** @returns undefined for an id that no printer has */
  readonly find: (id: string, entity: string) => Target | undefined
  /** Called for a command that was not carried out. */
  readonly onRefused: (printer: string, entity: string, reason: string) => void
}

/** Longest payload in bytes; every entity needs less. */
const LONGEST = 64
/** Concurrent commands; no legitimate client needs more. */
const MOST_RUNNING = 64

/** Runs the commands of the command topics with the access rights of the network; never rejects. */
export function createCommands ({ kernel, topics, log, find, onRefused }: CommandsOptions):
(message: Message) => Promise<void> {
  let running = 0

  function refuse (printer: string, entity: string, reason: string): void {
    log.warn({ printer, entity, reason }, 'a command over MQTT was refused')
    onRefused(printer, entity, reason)
  }

  async function run (printer: string, { key, command }: Entity, payload: string): Promise<void> {
    const operation = command === undefined ? undefined : kernel.operations.get(command.operation)
    const input = command?.input(payload)
    if (operation === undefined) return refuse(printer, key, 'it takes no commands')
    if (input === undefined) return refuse(printer, key, 'the payload makes no sense')
    try {
      await kernel.call(operation, input, { printer, caller: 'network', surface: 'homeassistant' })
      log.info({ printer, entity: key, operation: operation.name, input }, 'command over MQTT')
    } catch (error) {
      refuse(printer, key, kernel.redact((error as Error).message))
    }
  }

  return async ({ topic, payload, isRetained }) => {
    const target = topics.target(topic)
    const found = target && find(target.id, target.entity)
    if (target === undefined || found === undefined) return log.warn({ topic }, 'a command over MQTT names no printer')
    const { printer, entity } = found
    const { entity: key } = target
    if (isRetained) return refuse(printer, key, 'it was retained: it would be repeated with every connection')
    if (entity === undefined) return refuse(printer, key, 'the printer has no such entity')
    if (payload.length > LONGEST) return refuse(printer, key, 'the payload is too long')
    if (running >= MOST_RUNNING) return refuse(printer, key, 'too many commands at once')
    running++
    await run(printer, entity, payload.toString())
    running--
  }
}
