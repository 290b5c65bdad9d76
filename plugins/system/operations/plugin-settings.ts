import { Type, type TSchema } from 'typebox'
import {
  checkAccess, LANGUAGES, NotFound, operation, type Caller, type Kernel, type ManagedSettings, type SettingsSpec
} from '../../../core/index.js'

const Values = Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Number(), Type.String()]))
const Words = Type.Record(Type.String(), Type.String())

const PluginSettings = Type.Object({
  plugin: Type.String(),
  schema: Type.Unsafe<TSchema>({ type: 'object', additionalProperties: true, description: 'JSON Schema of the settings' }),
  labels: Type.Object(Object.fromEntries(LANGUAGES.map(language => [language, Type.Optional(Words)])), {
    description: 'Labels in other languages than that of the schema, by language and setting'
  }),
  values: Values
}, { 'x-name': 'PluginSettings' })

/** @throws PRN_ERR_TRUSTED_ONLY, PRN_ERR_ROLE_TOO_LOW */
const checkSettings = (kernel: Kernel, plugin: string, { access = 'trusted' }: SettingsSpec, caller: Caller | undefined) =>
  checkAccess(kernel, `settings of ${plugin}`, access, caller, 'local')

function mayChange (...args: Parameters<typeof checkSettings>): boolean {
  try {
    checkSettings(...args)
    return true
  } catch {
    return false
  }
}

const documentOf = (plugin: string, { schema, labels = {} }: SettingsSpec, settings: ManagedSettings) =>
  ({ plugin, schema, labels, values: settings.get() as Record<string, string> })

export const listPluginSettings = operation({
  name: 'system.listPluginSettings',
  summary: 'The settings of plugins that the caller may change',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ plugins: Type.Array(PluginSettings) }),
  run: ({ kernel, caller }) => ({
    plugins: [...kernel.settings].flatMap(([plugin, settings]) =>
      settings.spec !== undefined && mayChange(kernel, plugin, settings.spec, caller)
        ? [documentOf(plugin, settings.spec, settings)]
        : [])
  })
})

export const changePluginSettings = operation({
  name: 'system.changePluginSettings',
  summary: 'Change settings of a plugin; the others stay as they are',
  effect: 'local',
  record: true,
  scope: 'daemon',
  input: Type.Object({
    plugin: Type.String({ description: 'Name of the plugin' }),
    values: Type.Record(Type.String(), Type.Unknown(), { description: 'New values by setting' })
  }),
  output: PluginSettings,
  errors: [NotFound],
  async run ({ kernel, caller }, { plugin, values }) {
    const settings = kernel.settings.get(plugin)
    if (settings?.spec === undefined) throw new NotFound(`There is no plugin '${plugin}' with settings`)
    checkSettings(kernel, plugin, settings.spec, caller)
    await settings.change(values)
    return documentOf(plugin, settings.spec, settings)
  }
})
