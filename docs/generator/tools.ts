import { policy } from '../../core/index.js'
import type { ServedRawTool, ServedTool } from '../../plugins/mcp/index.js'
import { facesOf, type Application } from './application.js'
import { parameterTable } from './http.js'
import { byText, code, grouped, link, page, sentence, table } from './markdown.js'
import type { Schema } from './schema.js'

type AnyTool = ServedTool | ServedRawTool

const sourceOf = (tool: AnyTool) => 'binding' in tool ? tool.binding : tool.raw

const kindOf = ({ effect, permission }: AnyTool): string => {
  const kinds = { read: 'reads', local: 'changes files of this service only', write: 'acts on the printer', destructive: 'cannot be undone' }
  return `${kinds[effect]}${permission ? '; needs `user_permission`' : ''}`
}

function toolSection (tool: AnyTool, application: Application): string[] {
  const { title, schema, definition: { name, description = '' } } = tool
  const operation = 'binding' in tool ? tool.binding.operation : undefined
  const consequence = 'binding' in tool ? operation?.consequence : tool.raw.consequence
  const routes = operation === undefined
    ? []
    : facesOf(application).filter(({ face }) => face.operation === operation)
      .map(({ method, url }) => link(code(`${method} ${url}`), 'http.md', `${method} ${url}`)).sort()
  const said = [...('printer' in tool && tool.printer ? ['name'] : []), ...(tool.permission ? ['user_permission'] : [])]
  const errors = (operation?.errors ?? []).map(({ code: error }) => link(code(error), 'errors.md', error)).sort()
  return [
    `### ${name}`,
    `${policy[tool.effect].marker}**${title}.** ${sentence(description)}` +
      (consequence === undefined || description.includes(consequence) ? '' : ` ${consequence}`),
    parameterTable(schema as unknown as Schema, said),
    [
      said.includes('name') ? 'Takes `name`.' : '',
      sentence(`It ${kindOf(tool)}`),
      tool.idempotent ? '' : 'Calling it twice does it twice.',
      operation ? `Operation ${code(operation.name)}.` : '',
      routes.length > 0 ? `Routes: ${routes.join(', ')}.` : '',
      errors.length > 0 ? `Errors of its own: ${errors.join(', ')}.` : ''
    ].filter(Boolean).join(' ')
  ]
}

function resources (application: Application): string[] {
  const { kernel } = application
  const rows = [...kernel.contributed('resources')].sort(byText(({ uri }) => uri)).map(resource => [
    code(resource.uri), resource.mimeType, resource.watch ? 'yes' : 'no', resource.description
  ])
  const prompts = [...kernel.contributed('prompts')].sort(byText(({ name }) => name)).map(prompt => [
    code(prompt.name), (prompt.arguments ?? []).map(({ name, required }) => code(name + (required ? '' : '?'))).join(', '),
    prompt.description
  ])
  const apps = [...kernel.contributed('apps')].sort(byText(({ uri }) => uri)).map(({ uri, tools, description }) => [
    code(uri), tools.map(name => link(code(name), '', name)).join(', '), description
  ])
  return [
    '## Resources', table(['Address', 'Type', 'Subscribable', ''], rows),
    '## Pages', table(['Address', 'Shows the answers of', ''], apps),
    '## Prompts', table(['Name', 'Arguments', ''], prompts)
  ]
}

export function toolsPage (application: Application): string {
  const { kernel } = application
  const { serverContext } = kernel.services.mcp
  const tools: AnyTool[] = [...serverContext.tools.values(), ...serverContext.rawTools.values()]
  const groups = grouped(tools, tool => kernel.originOf(sourceOf(tool)) ?? '?')
  return page(
    '# MCP tools',
    `The ${tools.length} tools at \`/mcp\` and of \`prnd mcp\`. Tools that act on a printer require ` +
    '`user_permission: true`; without it they describe what would happen. `name` is the name of a printer ' +
    'and required. `plugins.mcp` in the [configuration](configuration.md) ' +
    'limits the tools; each group below is a toolset there.',
    groups.flatMap(([plugin, group]) => {
      const sorted = [...group].sort(byText(({ definition }) => definition.name))
      return [
        `## ${plugin}`,
        table(['Tool', ''], sorted.map(({ definition: { name, description = '' }, effect }) =>
          [link(code(name), '', name), policy[effect].marker + description])),
        ...sorted.flatMap(tool => toolSection(tool, application))
      ]
    }),
    resources(application)
  )
}
