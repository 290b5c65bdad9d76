import { Type } from 'typebox'
import type { Published } from './catalogue.data.js'
import type { Networks } from './networks.js'
import { BUILT_IN, KINDS, type Model } from './types.js'

const Nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>>(type: T) =>
  Type.Union([type, Type.Null()])

const Network = Type.Object({
  name: Type.String(),
  built_in: Type.Boolean({ description: 'It comes with prnd and cannot be removed' }),
  judges: Type.Boolean({ description: 'It judges prints now' }),
  kind: Type.Enum(KINDS),
  labels: Type.Array(Type.String()),
  failing: Type.Array(Type.String(), { description: 'The labels that mean a failure' }),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  licence: Type.String(),
  source: Nullable(Type.String({ description: 'Where it came from; null for callers who may not see paths of this machine' })),
  added_at: Type.String()
})

const Offer = Type.Object({
  name: Type.String(),
  about: Type.String(),
  publisher: Type.String(),
  address: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  licence: Type.String(),
  terms: Type.String(),
  added: Type.Boolean()
})

const Remote = Type.Object({
  url: Nullable(Type.String({ description: 'Null for callers who may not change it' })),
  configured: Type.Boolean({ description: 'It is set in the configuration file' }),
  has_token: Type.Boolean()
})

const Task = Type.Object({
  kind: Type.Enum(['network', 'runtime']),
  name: Nullable(Type.String()),
  step: Type.Enum(['fetching', 'checking', 'installing', 'done', 'failed', 'cancelled']),
  bytes: Nullable(Type.Number()),
  total: Nullable(Type.Number()),
  problem: Nullable(Type.String())
})

export const NetworksState = Type.Object({
  trust: Type.Number({ description: 'Weight of networks against the comparison of pictures, 0 to 1' }),
  runtimes: Type.Record(Type.String(), Type.String(), { description: 'What computes networks: versions by package' }),
  networks: Type.Array(Network),
  catalogue: Type.Array(Offer, { description: 'Published networks; nothing is fetched before someone agrees' }),
  remote: Type.Union([Remote, Type.Null()]),
  task: Type.Union([Task, Type.Null()], { description: 'What was fetched or installed last' }),
  may_change: Type.Boolean({ description: 'The caller may change networks' })
})

const Share = Type.Number({ minimum: 0, maximum: 1 })
export const Judgements = Type.Object({
  judgements: Type.Array(Type.Object({
    name: Type.String(),
    word: Type.Enum(['clean', 'warning', 'critical']),
    certainty: Type.Number({ description: 'A third is a warning, two thirds are critical' }),
    ms: Nullable(Type.Number()),
    boxes: Type.Array(Type.Object({
      left: Share,
      top: Share,
      right: Share,
      bottom: Share,
      score: Type.Number(),
      label: Type.String(),
      fails: Type.Boolean()
    }), { description: 'In fractions of the picture' })
  }))
})

function networkView (model: Model, judges: boolean, trusted: boolean) {
  const { name, kind, labels, failing, width, height, bytes, sha256, licence, source, addedAt } = model
  const about = { kind, labels, failing, width, height, bytes, sha256, licence, source: trusted ? source : null }
  return { name, built_in: name === BUILT_IN, judges, ...about, added_at: addedAt }
}

const offerView = ({ overrides: _overrides, ...published }: Published, added: boolean) => ({ ...published, added })

/** What a caller may know: paths of this machine and addresses only with the right to change them. */
export async function stateView (networks: Networks, trusted: boolean) {
  const { active, options, catalogue, task: { progress } } = networks
  const names = active.detectors.map(({ name }) => name)
  const known = await networks.known()
  const { remote } = active
  return {
    trust: options.trust,
    runtimes: { ...await networks.runtimes() },
    networks: known.map(({ model }) => networkView(model, names.includes(model.name), trusted)),
    catalogue: catalogue.map(one => offerView(one, known.some(({ model }) => model.sha256 === one.sha256))),
    remote: remote === undefined
      ? null
      : {
          url: trusted ? remote.url : null,
          configured: options.remote !== undefined,
          has_token: remote.token !== undefined
        },
    task: progress === undefined
      ? null
      : { ...progress, name: trusted ? progress.name : null, problem: trusted ? progress.problem : null },
    may_change: trusted
  }
}
