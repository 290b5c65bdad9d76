import { isIP } from 'node:net'
import type { Config } from './config.js'
import { BadConfig } from '../errors.js'

/** @throws PRN_ERR_CONFIG for what is no address and no network; without any nobody is believed */
export function proxiesOf ({ api: { trustProxy } }: Config): string[] | false {
  const wrong = trustProxy.find(text => !isAddressOrNetwork(text))
  if (wrong !== undefined) throw new BadConfig(`api.trustProxy: '${wrong}' is no address and no network such as 10.0.0.0/8`)
  return trustProxy.length > 0 && [...trustProxy]
}

function isAddressOrNetwork (text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}
