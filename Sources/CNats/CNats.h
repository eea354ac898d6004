// The client library of NATS, and the calls whose arguments are structures of borrowed texts.
#pragma once
#include <nats/nats.h>
#include <string.h>

// Connects once; a connection that is lost stays lost. `credentials` may be NULL.
static inline natsStatus sectile_nats_connect(
    natsConnection **connection, const char *servers, const char *name, const char *credentials,
    int64_t timeout_milliseconds) {
  natsOptions *options = NULL;
  natsStatus status = natsOptions_Create(&options);
  // The texts of several servers are taken apart where they have commas.
  char *list = NULL;
  const char *parts[16];
  int count = 0;
  if (status == NATS_OK) {
    list = strdup(servers);
    if (list == NULL) status = NATS_NO_MEMORY;
  }
  if (status == NATS_OK) {
    char *rest = NULL;
    for (char *part = strtok_r(list, ", ", &rest); part != NULL && count < 16;
         part = strtok_r(NULL, ", ", &rest)) {
      parts[count++] = part;
    }
    status = count > 0 ? natsOptions_SetServers(options, parts, count) : NATS_ADDRESS_MISSING;
  }
  if (status == NATS_OK) status = natsOptions_SetName(options, name);
  if (status == NATS_OK) status = natsOptions_SetTimeout(options, timeout_milliseconds);
  if (status == NATS_OK) status = natsOptions_SetAllowReconnect(options, false);
  // What is sent is on its way when the call returns: a relay waits for each answer.
  if (status == NATS_OK) status = natsOptions_SetSendAsap(options, true);
  if (status == NATS_OK && credentials != NULL) {
    status = natsOptions_SetUserCredentialsFromFiles(options, credentials, NULL);
  }
  if (status == NATS_OK) status = natsConnection_Connect(connection, options);
  natsOptions_Destroy(options);
  free(list);
  return status;
}

// Makes a stream of one subject, on disk. One that is there is left as it is.
static inline natsStatus sectile_nats_make_stream(
    jsCtx *context, const char *name, const char *subject, int64_t byte_limit,
    int64_t age_limit_nanoseconds, jsErrCode *code) {
  jsStreamInfo *information = NULL;
  natsStatus status = js_GetStreamInfo(&information, context, name, NULL, code);
  jsStreamInfo_Destroy(information);
  if (status != NATS_NOT_FOUND) return status;
  jsStreamConfig configuration;
  status = jsStreamConfig_Init(&configuration);
  if (status != NATS_OK) return status;
  configuration.Name = name;
  configuration.Subjects = &subject;
  configuration.SubjectsLen = 1;
  configuration.MaxBytes = byte_limit > 0 ? byte_limit : -1;
  configuration.MaxAge = age_limit_nanoseconds;
  return js_AddStream(NULL, context, &configuration, NULL, code);
}

// Says which messages a stream has: from `first` to `last`, none where `first` is the larger one.
static inline natsStatus sectile_nats_range(
    jsCtx *context, const char *name, uint64_t *first, uint64_t *last, jsErrCode *code) {
  jsStreamInfo *information = NULL;
  natsStatus status = js_GetStreamInfo(&information, context, name, NULL, code);
  if (status == NATS_OK) {
    *first = information->State.FirstSeq;
    *last = information->State.LastSeq;
    if (information->State.Msgs == 0) *first = *last + 1;
  }
  jsStreamInfo_Destroy(information);
  return status;
}

// Publishes where the stream's last message has the number `last`, or where it never had one for
// 0, and waits until the stream has it. `identity` may be NULL.
static inline natsStatus sectile_nats_publish(
    jsCtx *context, const char *subject, const void *bytes, int count, const char *identity,
    const char *stream, uint64_t last, uint64_t *number, jsErrCode *code) {
  jsPubOptions options;
  jsPubAck *answer = NULL;
  natsStatus status = jsPubOptions_Init(&options);
  if (status != NATS_OK) return status;
  options.MsgId = identity;
  options.ExpectStream = stream;
  options.ExpectLastSeq = last;
  options.ExpectNoMessage = last == 0;
  status = js_Publish(&answer, context, subject, bytes, count, &options, code);
  if (status == NATS_OK) *number = answer->Sequence;
  jsPubAck_Destroy(answer);
  return status;
}

// Removes the messages of a stream whose numbers are below `first`.
static inline natsStatus sectile_nats_purge(
    jsCtx *context, const char *name, uint64_t first, jsErrCode *code) {
  jsOptions options;
  natsStatus status = jsOptions_Init(&options);
  if (status != NATS_OK) return status;
  options.Stream.Purge.Sequence = first;
  return js_PurgeStream(context, name, &options, code);
}

// Has the messages of a subject come in order, from the number `first` on.
static inline natsStatus sectile_nats_subscribe(
    natsSubscription **subscription, jsCtx *context, const char *stream, const char *subject,
    uint64_t first, jsErrCode *code) {
  jsSubOptions options;
  natsStatus status = jsSubOptions_Init(&options);
  if (status != NATS_OK) return status;
  options.Stream = stream;
  options.Ordered = true;
  options.Config.DeliverPolicy = js_DeliverByStartSequence;
  options.Config.OptStartSeq = first;
  status = js_SubscribeSync(subscription, context, subject, NULL, &options, code);
  if (status == NATS_OK) status = natsSubscription_SetPendingLimits(*subscription, -1, -1);
  return status;
}

// The number in its stream of a message that a subscription brought, or that was asked for; 0 for
// one that is of no stream.
static inline uint64_t sectile_nats_number(natsMsg *message) {
  jsMsgMetaData *data = NULL;
  uint64_t number = natsMsg_GetSequence(message);
  if (number == 0 && natsMsg_GetMetaData(&data, message) == NATS_OK) {
    number = data->Sequence.Stream;
  }
  jsMsgMetaData_Destroy(data);
  return number;
}
