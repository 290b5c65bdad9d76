import { Type } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { NoRuntime, NoSuchNetwork, NotJudged, RemoteIsConfigured, TaskRunning } from './errors.js'
import { REMOTE_URL } from './remote-settings.js'
import { Judgements, NetworksState, stateView } from './schemas.js'

const Name = Type.String({ minLength: 1, maxLength: 40 })
const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })
/** Below the limit of a request's body; the page makes pictures smaller before it sends them. */
const MOST_CHARS = 1_000_000

const common = { scope: 'daemon', access: 'trusted', effect: 'write', record: true, output: NetworksState } as const

export const readNetworks = operation({
  name: 'health-model.readNetworks',
  summary: 'How prints are judged: the networks that exist or can be fetched, and what computes them',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: NetworksState,
  run: async ({ services: { networks }, trusted }) => await stateView(networks, trusted)
})

export const addNetwork = operation({
  ...common,
  name: 'health-model.addNetwork',
  summary: 'Add a published network, a file or a folder of this machine, in the background',
  consequence: 'A published network is downloaded from its publisher, under the licence that you agree to. ' +
    'From then on the network judges prints.',
  input: Type.Object({
    published: Type.Optional(Type.Object({
      name: Name, agree: Type.Boolean({ description: 'To its licence, and to fetching it from its address' })
    }, { additionalProperties: false })),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'Complete path of an .onnx file, or of a folder with some' })),
    labels: Type.Optional(Labels),
    failing: Type.Optional(Labels)
  }),
  errors: [NoSuchNetwork, NoRuntime, TaskRunning],
  note: ({ published, path }) => published?.name ?? path,
  async run ({ services: { networks }, trusted }, { published, path, ...overrides }) {
    if ((published === undefined) === (path === undefined)) throw new BadInput('name either published or path')
    if (published !== undefined) await networks.addPublished(published.name, published.agree)
    else if (path !== undefined) await networks.addFrom(path, overrides)
    return await stateView(networks, trusted)
  }
})

export const removeNetwork = operation({
  ...common,
  name: 'health-model.removeNetwork',
  summary: 'Remove a network',
  consequence: 'The file is deleted from the data folder, and the network judges no more prints.',
  input: Type.Object({ name: Name }),
  errors: [NoSuchNetwork],
  note: ({ name }) => name,
  async run ({ services: { networks }, trusted }, { name }) {
    await networks.remove(name)
    return await stateView(networks, trusted)
  }
})

export const installNetworkRuntime = operation({
  ...common,
  name: 'health-model.installRuntime',
  summary: 'Install what computes networks, in the background',
  consequence: 'About 100 MB are downloaded from the npm registry into the data folder. The built-in network then judges prints.',
  input: Type.Object({}),
  errors: [TaskRunning],
  async run ({ services: { networks }, trusted }) {
    networks.installRuntime()
    return await stateView(networks, trusted)
  }
})

export const cancelTask = operation({
  ...common,
  name: 'health-model.cancelTask',
  summary: 'End fetching a network, or installing what computes networks',
  consequence: 'Nothing of what is being fetched stays.',
  input: Type.Object({}),
  async run ({ services: { networks }, trusted }) {
    await networks.task.cancel()
    return await stateView(networks, trusted)
  }
})

export const chooseRemote = operation({
  ...common,
  name: 'health-model.chooseRemote',
  summary: 'Let a server judge prints, as Obico\'s ml_api does',
  consequence: 'The server gets every picture that is judged.',
  input: Type.Object({
    url: Type.String({ pattern: REMOTE_URL, maxLength: 1_000 }),
    token: Type.Optional(Type.String({ minLength: 8, maxLength: 1_000, pattern: '^[!-~]+$' }))
  }),
  errors: [RemoteIsConfigured],
  note: ({ url }) => URL.canParse(url) ? new URL(url).origin : undefined,
  async run ({ services: { networks }, trusted }, remote) {
    await networks.chooseRemote(remote)
    return await stateView(networks, trusted)
  }
})

export const forgetRemote = operation({
  ...common,
  name: 'health-model.forgetRemote',
  summary: 'Send no more pictures to the server',
  consequence: 'The server no longer judges prints.',
  input: Type.Object({}),
  errors: [RemoteIsConfigured],
  async run ({ services: { networks }, trusted }) {
    await networks.chooseRemote(undefined)
    return await stateView(networks, trusted)
  }
})

export const tryNetworks = operation({
  name: 'health-model.tryNetworks',
  summary: 'What each network thinks of a picture; nothing is stored',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({
    picture: Type.String({ minLength: 1, maxLength: MOST_CHARS, description: 'JPEG or PNG, in base64' }),
    name: Type.Optional(Name)
  }),
  output: Judgements,
  errors: [NoSuchNetwork, NoRuntime, NotJudged],
  async run ({ services: { networks }, signal }, { picture, name }) {
    return { judgements: [...await networks.judge(Buffer.from(picture, 'base64'), name, signal)] as never }
  }
})
