import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { detectPrinter } from '../detect-printer.js'
import { Found, Host } from '../schemas.js'
import { checkedHost } from '../verify-printer.js'

export const detectAtAddress = operation({
  name: 'management.detectAtAddress',
  summary: 'Ask an address which printer is there, without its access code',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted', // connects to any address
  input: Type.Object({ host: Host }),
  output: Type.Object({
    printer: Type.Union([Found, Type.Null()], {
      description: 'What the address says, which nothing proves: compare the serial number. Null if it does not say'
    })
  }),
  async run ({ services, signal }, { host }) {
    const found = await detectPrinter(checkedHost(host), signal, services.management.detectPorts)
    return { printer: found === undefined ? null : { ...found } }
  }
})
