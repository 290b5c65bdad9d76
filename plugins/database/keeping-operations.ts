import { Type, type Static, type TInteger, type TObject, type TProperties } from 'typebox'
import { mayUse, operation, type DaemonContext, type Guard, type Services } from '../../core/index.js'
import { SetInFile } from './errors.js'
import type { Origin } from './shared-settings.js'

type Limits = Readonly<Record<string, number>>

/** How long something is kept, by the names of the options. */
export interface Kept<B extends Limits> {
  readonly origin: Origin
  read (): Promise<B>
  /** @throws PRN_ERR_SET_IN_FILE */
  checkOpen (): void
  /** @throws PRN_ERR_SET_IN_FILE */
  set (change: Partial<B>, by: string): Promise<B>
}

export interface KeepingSpec<B extends Limits, U extends TProperties, G extends TProperties> {
  readonly plugin: string
  /** Of the view in the API. */
  readonly viewName: string
  /** By the names of the API: `keep_days` for the option `keepDays`. */
  readonly limits: Readonly<Record<string, TInteger>>
  /** What there is now. */
  readonly used: U
  /** What would be deleted. */
  readonly gone: G
  readonly summaries: Readonly<Record<'read' | 'try' | 'change', string>>
  readonly consequence: string
  /** Left out: everybody may read it. */
  readonly access?: 'trusted'
  readonly guards?: readonly Guard[]
  readonly kept: (services: Readonly<Services>) => Kept<B>
  readonly usedNow: (context: DaemonContext) => Promise<Static<TObject<U>>>
  readonly goneBy: (context: DaemonContext, limits: B) => Promise<Static<TObject<G>>>
  /** `3 prints and 2 MiB of telemetry` */
  readonly goneText: (gone: Static<TObject<G>>) => string
}

/** `keepTelemetryMiB` is `keep_telemetry_mib`. */
const nameInApi = (option: string): string =>
  option.replace(/MiB$/, '_mib').replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const viewOf = (limits: Limits): Record<string, number> =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [nameInApi(name), value]))

/** Those of a change, by the names of the options. */
const changeIn = <B extends Limits>(known: B, given: Readonly<Record<string, unknown>>): Partial<B> =>
  Object.fromEntries(Object.keys(known).map(name => [name, given[nameInApi(name)]])
    .filter(([, value]) => value !== undefined)) as Partial<B>

/** The operations for how long something is kept: read it, try what other limits would delete, and change it. */
export function keepingOperations<B extends Limits, U extends TProperties, G extends TProperties> (
  spec: KeepingSpec<B, U, G>
) {
  const { plugin, limits, summaries, consequence, access, guards = [], kept, usedNow, goneBy, goneText } = spec
  const Change = Type.Partial(Type.Object(limits), { additionalProperties: false })
  const Gone = Type.Object(spec.gone)
  const View = Type.Object({
    origin: Type.Enum(['file', 'stored', 'none'], { description: '`file`: from the configuration file, and only changed there' }),
    ...limits,
    ...spec.used,
    may_change: Type.Boolean({ description: 'The caller may change this' })
  }, { 'x-name': spec.viewName })
  const common = { scope: 'daemon', guards, ...access && { access } } as const
  const goneWith = async (context: DaemonContext, given: object) => {
    const known = await kept(context.services).read()
    return await goneBy(context, { ...known, ...changeIn(known, given as Record<string, unknown>) })
  }

  const change = operation({
    scope: 'daemon',
    guards,
    access: 'trusted',
    name: `${plugin}.changeKeeping`,
    summary: summaries.change,
    effect: 'destructive',
    consequence,
    input: Change,
    output: Type.Object(limits),
    errors: [SetInFile],
    async preview (context, given) {
      kept(context.services).checkOpen()
      return { checked: [`it is not set in the configuration file; ${goneText(await goneWith(context, given))} would be deleted`] }
    },
    async run ({ services, askedBy }, given) {
      const keeping = kept(services)
      const known = await keeping.read()
      return viewOf(await keeping.set(changeIn(known, given as Record<string, unknown>), askedBy))
    }
  })
  const read = operation({
    ...common,
    name: `${plugin}.readKeeping`,
    summary: summaries.read,
    effect: 'read',
    input: Type.Object({}),
    output: View,
    async run (context) {
      const { kernel, caller, services } = context
      const keeping = kept(services)
      const known = await keeping.read()
      const view = { origin: keeping.origin, ...viewOf(known), ...await usedNow(context) }
      return { ...view, may_change: mayUse(kernel, change, caller) } as never
    }
  })
  const attempt = operation({
    ...common,
    name: `${plugin}.tryKeeping`,
    summary: summaries.try,
    effect: 'read',
    input: Change,
    output: Gone,
    run: (context, given) => goneWith(context, given) as never
  })
  return { read, try: attempt, change }
}
