import type { ModelOverrides } from './describe-model.js'

/** A published network that its licence allows people to fetch. prnd contains none of them. */
export interface Published {
  readonly name: string
  /** What it is for, and its limits. */
  readonly about: string
  readonly publisher: string
  readonly address: string
  readonly bytes: number
  readonly sha256: string
  readonly licence: string
  /** What the licence means for whoever fetches it. */
  readonly terms: string
  readonly overrides: ModelOverrides
}

/** Only networks whose address and checksum their publisher has stated. */
export const CATALOGUE: readonly Published[] = [
  {
    name: 'obico',
    about: 'Tangles of filament ("spaghetti") on any printer; trained on pictures of many printers by the makers of Obico. ' +
      'It sees no other failures. It needs about 450 MB of memory and a quarter of a second a picture.',
    publisher: 'Obico (https://github.com/TheSpaghettiDetective/obico-server)',
    address: 'https://www.obico.io/static_pub/ml-models/model-weights-5a6b1be1fa.onnx',
    bytes: 202_223_918, // stated by others who fetched it; the checksum is in ml_api/model of Obico's repository
    sha256: '0a6ebd8e30dbf6a450c50f9c0a5406f04ba7eb1c99fd5996e888c78bb383b9aa',
    licence: 'AGPL-3.0',
    terms: 'You may use it on your own machines. If you pass it on, or offer a service with it, the AGPL asks you to ' +
      'pass on its source too. The repository states the licence; the file itself states none.',
    overrides: { kind: 'detection', boxes: 'corners', labels: ['failure'], failing: ['failure'] }
  }
]
