import t from 'tap'
import { createPendingRecordings } from '../../../../plugins/recording/pending-recordings.js'
import type { Recorder } from '../../../../plugins/recording/recorder.js'
import type { Recording } from '../../../../plugins/recording/schemas.js'
import { createRecordingService } from '../../../../plugins/recording/service.js'
import type { SettingsStore } from '../../../../plugins/recording/settings.js'
import type { RecordingStore } from '../../../../plugins/recording/store.js'
import { sample } from '../helpers.js'

t.test('each recording is listed once, whatever it is about to become', async t => {
  const [ready, failed] = [sample(), sample({ status: 'failed' })]
  const pendingRecordings = createPendingRecordings(() => {})
  const service = createRecordingService({
    store: { recordings: [ready, failed] as readonly Recording[] } as RecordingStore,
    pendingRecordings,
    recorder: {} as Recorder,
    settings: {} as SettingsStore
  })
  const statuses = () => service.list({}, 9).recordings.map(({ status }) => status).sort()
  t.same(statuses(), ['failed', 'ready'])
  pendingRecordings.set({ ...ready, status: 'recording' })
  t.same(statuses(), ['failed', 'ready'], 'what is kept already is ready')
  pendingRecordings.set({ ...failed, status: 'encoding' })
  t.same(statuses(), ['encoding', 'ready'], 'another attempt')
  t.equal(service.get(failed.id).status, 'encoding')
  await t.rejects(service.remove(failed.id), { code: 'PRN_ERR_RECORDING_UNFINISHED' })
})
