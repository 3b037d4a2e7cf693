{{/* The services that each service calls over gRPC; network policies follow from it. A custom block gets all of them. */}}
{{- define "turnpike.calls" -}}
auth: [billing, messaging]
billing: [auth, channel]
channel: [auth, relay]
messaging: [auth]
relay: [auth, billing, channel]
gateway: [auth, billing, channel, messaging]
{{- end -}}

{{/* Keys of the Secret that each service gets: only those it needs. */}}
{{- define "turnpike.secretKeys" -}}
auth: [INTERNAL_SECRET, NATS_URL, MASTER_KEY, MONGODB_URL, REDIS_URL]
billing: [INTERNAL_SECRET, NATS_URL, MASTER_KEY, MONGODB_URL, REDIS_URL]
channel: [INTERNAL_SECRET, NATS_URL, MASTER_KEY, MONGODB_URL]
messaging: [INTERNAL_SECRET, NATS_URL, MASTER_KEY, MONGODB_URL]
relay: [INTERNAL_SECRET, NATS_URL, MASTER_KEY, REDIS_URL]
gateway: [INTERNAL_SECRET, NATS_URL]
{{- end -}}

{{/* 90 % of a size in Mi or Gi: a pod whose disk is full would be evicted and lose its data. */}}
{{- define "turnpike.spoolMegabytes" -}}
{{- $mebibytes := ternary (mul 1024 (trimSuffix "Gi" . | int)) (trimSuffix "Mi" . | int) (hasSuffix "Gi" .) -}}
{{ max 1 (div (mul $mebibytes 9) 10) }}
{{- end -}}

{{/* Environment of one service; secret values come from the Secret: (dict "root" $ "name" "relay" "s" settings "migrations" "wait") */}}
{{- define "turnpike.env" -}}
{{- $root := .root -}}
- { name: HOST, value: "0.0.0.0" }
{{- if .s.grpc }}
- { name: GRPC_PORT, value: "7000" }
{{- end }}
- { name: OPS_PORT, value: "9000" }
- { name: LOG_LEVEL, value: {{ $root.Values.logLevel | quote }} }
- { name: NAMESPACE, value: {{ $root.Values.namespacePrefix | quote }} }
- { name: SHUTDOWN_GRACE_SECONDS, value: {{ .s.graceSeconds | quote }} }
- { name: TURNPIKE_VERSION, value: {{ include "turnpike.version" $root | quote }} }
- { name: MIGRATIONS, value: {{ .migrations | default "start" }} }
{{- range $key := index (include "turnpike.secretKeys" . | fromYaml) .name | default (list "INTERNAL_SECRET" "NATS_URL" "MASTER_KEY" "MONGODB_URL" "REDIS_URL") }}
- name: {{ $key }}
  valueFrom: { secretKeyRef: { name: {{ include "turnpike.secretName" $root }}, key: {{ $key }} } }
{{- end }}
{{- range $peer := index (include "turnpike.calls" . | fromYaml) .name | default (list "auth" "billing" "channel" "messaging" "relay") }}
- { name: {{ upper $peer }}_ADDRESS, value: "{{ include "turnpike.name" (list $root $peer) }}:7000" }
{{- end }}
{{- if eq .name "gateway" }}
- { name: RELAY_HTTP_ADDRESS, value: "{{ include "turnpike.name" (list $root "relay") }}:{{ $root.Values.services.relay.httpPort }}" }
- { name: PORT, value: {{ .s.httpPort | quote }} }
{{- end }}
{{- if eq .name "relay" }}
- { name: RELAY_PORT, value: {{ .s.httpPort | quote }} }
- { name: DATA_DIR, value: /data }
{{- with .s.spoolSize }}
- { name: SPOOL_LIMIT_MB, value: {{ include "turnpike.spoolMegabytes" . | quote }} }
{{- end }}
{{- end }}
{{- if and (eq .name "auth") $root.Values.root.username }}
- { name: ROOT_USERNAME, value: {{ $root.Values.root.username | quote }} }
- name: ROOT_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "turnpike.fullname" $root }}-root, key: password } }
{{- end }}
{{- if has .name (list "gateway" "relay") }}
{{- with $root.Values.trustedProxies }}
- { name: TRUSTED_PROXIES, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if has .name (list "auth" "billing" "messaging" "relay") }}
{{- with $root.Values.privateAddressAllowlist }}
- { name: PRIVATE_ADDRESS_ALLOWLIST, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- with $root.Values.grpcTls.existingSecret }}
- { name: GRPC_TLS_DIR, value: /tls }
{{- end }}
{{- include "turnpike.backingTlsEnv" $root }}
{{- with $root.Values.nats }}
- { name: NATS_REPLICAS, value: {{ .replicas | quote }} }
{{- if .existingSecret }}
{{- range $variable, $key := dict "NATS_CREDS_FILE" .credentialsKey "NATS_NKEY_FILE" .nkeyKey "NATS_TLS_CA_FILE" .caKey "NATS_TLS_CERT_FILE" .certificateKey "NATS_TLS_KEY_FILE" .privateKeyKey }}
{{- if $key }}
- { name: {{ $variable }}, value: "/nats/{{ $key }}" }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with $root.Values.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
- { name: OTEL_SERVICE_NAME, value: "turnpike-{{ $.name }}" }
{{- end }}
{{- range $variable, $value := .s.env }}
- { name: {{ $variable }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}
