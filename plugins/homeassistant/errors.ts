import { defineError } from '../../core/index.js'

export const BrokerFixed = defineError('PRN_ERR_BROKER_FIXED',
  'The broker of Home Assistant is in the configuration file: change it there', 409)
