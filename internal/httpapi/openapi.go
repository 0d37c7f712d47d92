package httpapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// describe answers with the OpenAPI description, made from the table of tools.
func (s *Server) describe(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, s.OpenAPI())
}

// node is an object of the description.
type node = map[string]any

// OpenAPI describes the server.
func (s *Server) OpenAPI() map[string]any {
	ref := func(name string) node { return node{"$ref": "#/components/schemas/" + name} }
	content := func(about string, schema node) node {
		return node{"description": about, "content": node{"application/json": node{"schema": schema}}}
	}
	refused := content("It failed; code tells why.", ref("Error"))
	id := node{"name": "id", "in": "path", "required": true, "schema": node{"type": "string"}}
	paths := node{
		"/sessions": node{
			"post": node{
				"operationId": "begin", "summary": "Begin a session",
				"responses": node{"201": content("The session", node{"type": "object", "required": []string{"id"}, "properties": node{"id": node{"type": "string"}}}), "default": refused},
			},
			"get": node{
				"operationId": "list", "summary": "List the sessions",
				"responses": node{"200": content("The sessions", node{"type": "object", "properties": node{"sessions": node{"type": "array", "items": ref("Session")}}}), "default": refused},
			},
		},
		"/sessions/{id}": node{
			"parameters": []node{id},
			"delete":     node{"operationId": "end", "summary": "End a session", "responses": node{"204": node{"description": "It has ended."}, "default": refused}},
		},
		"/sessions/{id}/events": node{
			"parameters": []node{id},
			"get": node{
				"operationId": "events", "summary": "Follow what is done in a session, as server-sent events",
				"responses": node{"200": node{"description": "An event for each verb", "content": node{"text/event-stream": node{"schema": node{"type": "string"}}}}, "default": refused},
			},
		},
	}
	paths["/sessions/{id}/proposals"] = proposalPath(id, content, refused)
	for _, t := range s.opts.Tools {
		paths["/sessions/{id}/"+t.Name] = node{
			"parameters": []node{id},
			"post": node{
				"operationId": t.Name, "summary": t.Help, "x-read-only": t.ReadOnly,
				"requestBody": node{"content": node{"application/json": node{"schema": withoutSession(t.Input())}}},
				"responses":   node{"200": content("What came of it", ref("Answer")), "default": refused},
			},
		}
	}
	text := node{"type": "string"}
	pictures := node{"type": "array", "items": node{"type": "object", "properties": node{"type": text, "data": node{"type": "string", "contentEncoding": "base64"}}}}
	codes := slices.Sorted(maps.Keys(statuses))
	description := node{
		"openapi": "3.1.0",
		"info":    node{"title": "rove", "version": s.opts.Version, "description": "A real browser for language models: sessions and tools as JSON."},
		"paths":   paths,
		"components": node{"schemas": node{
			"Answer": node{"type": "object", "required": []string{"text"}, "properties": node{"text": text, "data": node{}, "images": pictures}},
			"Error": node{"type": "object", "required": []string{"code", "error"}, "properties": node{
				"ok": node{"type": "boolean", "enum": []bool{false}}, "code": node{"type": "string", "enum": codes}, "op": text, "error": text, "hint": text,
				"log": node{"type": "array", "items": text}, "text": text, "data": node{}, "images": pictures,
			}},
			"Session": node{"type": "object", "properties": node{"id": text, "begun": node{"type": "string", "format": "date-time"}, "busy": node{"type": "boolean"}, "idle": node{"type": "integer"}, "url": text}},
		}},
	}
	if s.opts.Token != "" {
		description["components"].(node)["securitySchemes"] = node{"token": node{"type": "http", "scheme": "bearer"}}
		description["security"] = []node{{"token": []string{}}}
	}
	return description
}

// withoutSession is a tool's schema less the parameter that the path has.
func withoutSession(schema any) node {
	var out node
	if text, err := json.Marshal(schema); err != nil || json.Unmarshal(text, &out) != nil {
		return node{"type": "object"}
	}
	if properties, ok := out["properties"].(node); ok {
		delete(properties, "session")
	}
	return out
}
